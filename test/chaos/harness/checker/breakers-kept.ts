import type { BreakerTransition, Evidence, UpstreamAttempt } from '../evidence';
import type { FaultEvent } from '../history';
import type { CallStory } from './call-story';
import { mostAtOnce } from './slots-held';
import type { Violation } from './violation';

const LEGAL = new Set(['closed>open', 'open>half-open', 'half-open>open', 'half-open>closed']);

/** From one transition of a breaker to its next. */
interface Phase {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * I9: a breaker goes its legal ways; while it is open its process sends nothing there; half open it sends no
 * more than its permits at once.
 */
export function breakersKept(
  stories: readonly CallStory[],
  evidence: Evidence,
): readonly Violation[] {
  const { transitions, settings, history } = evidence;
  const arrivals = arrivalsByGateway(stories);
  const postgresFaults = history.filter(
    (record): record is FaultEvent => record.op === 'fault' && record.id === 'postgres',
  );
  const keyOf = ({ gateway, target }: BreakerTransition): string => `${gateway} ${target}`;
  return [...Map.groupBy(transitions, keyOf)].flatMap(([subject, own]) => [
    ...illegalSteps(own).map((message) => violation(subject, message)),
    ...phasesOf(own).flatMap((phase) =>
      phaseProblems(phase, arrivals.get(subject) ?? [], settings, postgresFaults).map((message) =>
        violation(subject, message),
      ),
    ),
  ]);
}

function arrivalsByGateway(stories: readonly CallStory[]): Map<string, UpstreamAttempt[]> {
  const seen = stories.flatMap(({ invoked, attempts }) =>
    attempts.flatMap(({ upstream }) =>
      invoked && upstream ? { gateway: invoked.gateway, upstream } : [],
    ),
  );
  const groups = Map.groupBy(
    seen,
    ({ gateway, upstream }) => `${gateway} ${upstream.model}@${upstream.region}`,
  );
  return new Map([...groups].map(([key, own]) => [key, own.map(({ upstream }) => upstream)]));
}

function illegalSteps(transitions: readonly BreakerTransition[]): string[] {
  let phase = 'closed';
  const found: string[] = [];
  for (const { from, to } of transitions) {
    if (from !== phase || !LEGAL.has(`${from}>${to}`))
      found.push(`went from ${phase} by ${from} to ${to}`);
    phase = to;
  }
  return found;
}

function phasesOf(transitions: readonly BreakerTransition[]): Phase[] {
  return transitions.map(({ to, atMs }, index) => ({
    name: to,
    fromMs: atMs,
    toMs: transitions[index + 1]?.atMs ?? Infinity,
  }));
}

function phaseProblems(
  { name, fromMs, toMs }: Phase,
  arrivals: readonly UpstreamAttempt[],
  { blurMs, breaker }: Evidence['settings'],
  postgresFaults: readonly FaultEvent[],
): string[] {
  // A call let through just before waits for its row; without the database, for as long as it may.
  const isSlow = postgresFaults.some(({ atMs }) => Math.abs(atMs - fromMs) < LEDGER_PATIENCE_MS);
  const afterMs = fromMs + blurMs + (isSlow ? LEDGER_PATIENCE_MS : 0);
  const within = arrivals.filter(({ startedAtMs: at }) => at > afterMs && at < toMs - blurMs);
  if (name === 'open' && within.length > 0) return [`sent ${within.length} calls while open`];
  if (name !== 'half-open') return [];
  const most = mostAtOnce(within, blurMs);
  return most > breaker.halfOpenPermits ? [`sent ${most} probes at once`] : [];
}

const LEDGER_PATIENCE_MS = 2_500;

function violation(subject: string, message: string): Violation {
  return { invariant: 'I9', subject, message };
}
