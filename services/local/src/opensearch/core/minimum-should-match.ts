import type { MinimumShouldMatch } from './query';

/** How many of so many optional clauses must match. */
export function requiredClauses(minimum: MinimumShouldMatch, clauses: number): number {
  const wanted =
    typeof minimum === 'number'
      ? minimum
      : Math.trunc((Number.parseFloat(minimum) / 100) * clauses);
  const required = wanted < 0 || Object.is(wanted, -0) ? clauses + wanted : wanted;
  return Math.min(Math.max(required, 0), clauses);
}
