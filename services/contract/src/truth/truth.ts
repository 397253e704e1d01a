import type { PlatformConfiguration } from '../configuration/platform';
import { TRUTH_CHECKS } from './checks';
import { warning, type Contradiction } from './contradiction';

/** The configuration contradicts itself; the message lists everything with its fix. */
export class ContradictionError extends Error {
  override readonly name = 'ContradictionError';

  constructor(readonly contradictions: readonly Contradiction[]) {
    super(
      [
        `The configuration contradicts itself in ${contradictions.length} place(s):`,
        ...contradictions.map(describeContradiction),
      ].join('\n\n'),
    );
  }
}

/**
 * Every contradiction of a configuration. An acknowledged error comes back as a warning with its reason; an
 * acknowledgement of nothing is itself a warning, or it would outlive what it excused.
 */
export function contradictionsOf(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  const found = TRUTH_CHECKS.flatMap((check) => check(configuration, nowMs));
  const ids = new Set(found.map((it) => it.id));
  const unused = Object.keys(configuration.acknowledged).filter((id) => !ids.has(id));
  return [
    ...found.map((it) => acknowledged(it, configuration.acknowledged[it.id])),
    ...unused.map(unusedAcknowledgement),
  ];
}

/** Returns the warnings; throws one error that lists every contradiction, with its fix, if there are any. */
export function assertTrue(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  const found = contradictionsOf(configuration, nowMs);
  const errors = found.filter((it) => it.severity === 'error');
  if (errors.length > 0) throw new ContradictionError(errors);
  return found;
}

/** One contradiction as people read it. */
export function describeContradiction(it: Contradiction): string {
  return `[${it.id}] ${it.message}\n  Fix: ${it.fix}`;
}

function acknowledged(found: Contradiction, reason: string | undefined): Contradiction {
  if (reason === undefined || found.severity === 'warning') return found;
  return { ...found, severity: 'warning', message: `${found.message} (Accepted: ${reason})` };
}

function unusedAcknowledgement(id: string): Contradiction {
  return warning(
    'acknowledgement-unused',
    `acknowledged['${id}'] excuses nothing: there is no such contradiction (any more).`,
    `Remove acknowledged['${id}'], or correct its spelling.`,
  );
}
