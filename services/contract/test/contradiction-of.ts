import { configure, contradictionsOf, type Contradiction, type PlatformOverrides } from '../src';

/** A quiet moment: no event within a week, no model near its end. */
export const SOME_WEDNESDAY_MS = Date.parse('2026-06-03T12:00:00+09:00');

/** The contradictions of one kind that overrides bring into the shipped configuration. */
export function contradictionsIn(
  id: string,
  overrides: PlatformOverrides,
  nowMs = SOME_WEDNESDAY_MS,
): readonly Contradiction[] {
  return contradictionsOf(configure(overrides), nowMs).filter((it) => it.id === id);
}

/** A row of a table of contradictions: what is set wrong, and what a person must be told. */
export interface ContradictionCase {
  readonly id: string;
  readonly when: string;
  readonly overrides: PlatformOverrides;
  readonly says: RegExp;
  readonly fix: RegExp;
  readonly severity?: Contradiction['severity'];
  readonly nowMs?: number;
}

/** One test per row; each also holds that the shipped configuration is free of the contradiction. */
export function describeContradictions(title: string, cases: readonly ContradictionCase[]): void {
  describe(title, () => {
    test.each(cases)('$id: $when', ({ id, overrides, says, fix, severity, nowMs }) => {
      const [first] = contradictionsIn(id, overrides, nowMs);
      expect(first?.message).toMatch(says);
      expect(first?.fix).toMatch(fix);
      expect(first?.severity).toBe(severity ?? 'error');
    });

    test.each([...new Set(cases.map((it) => it.id))])('as shipped there is no %s error', (id) => {
      const errors = contradictionsIn(id, {}).filter((it) => it.severity === 'error');
      expect(errors).toEqual([]);
    });
  });
}
