import type { Evidence } from '../evidence';
import type { CallEnded, CallInvoked } from '../history';
import type { CallStory } from './call-story';
import { processLives, type ProcessLife } from './process-lives';
import type { Violation } from './violation';

/** I1: exactly one ending per request, nothing after it, and none that only a fault of ours explains. */
export function oneEnding(
  stories: readonly CallStory[],
  { history, settings }: Pick<Evidence, 'history' | 'settings'>,
): readonly Violation[] {
  const lives = processLives(history);
  return [
    ...stories.flatMap((story) => problemsOf(story, lives, settings.blurMs)),
    ...[...lives]
      .filter(([, { ended }]) => ended === 'died')
      .map(([name]) => violation(name, 'the process ended by itself')),
  ];
}

function problemsOf(
  { id, invoked, records, endings }: CallStory,
  lives: ReadonlyMap<string, ProcessLife>,
  blurMs: number,
): Violation[] {
  if (!invoked) return [violation(id, 'is in the ledger, but no client sent it')];
  const [ending] = endings;
  if (!ending) return [violation(id, 'has no ending')];
  const found: Violation[] = [];
  if (endings.length > 1) {
    found.push(violation(id, `has ${endings.length} endings: ${namesOf(endings)}`));
  }
  const last = records.at(-1);
  if (last !== ending && endings.length === 1) {
    found.push(violation(id, `went on after it had ${ending.ending}`));
  }
  const unexplained = unexplainedEnding(ending, invoked, lives.get(invoked.gateway), blurMs);
  if (unexplained !== undefined) found.push(violation(id, unexplained));
  return found;
}

function unexplainedEnding(
  ending: CallEnded,
  invoked: CallInvoked,
  life: ProcessLife | undefined,
  blurMs: number,
): string | undefined {
  switch (ending.ending) {
    case 'completed':
    case 'broke-off':
    case 'left':
      return undefined;
    case 'hung':
      return 'never ended';
    case 'refused':
      return refusalProblem(ending);
    case 'cut':
      return wasKilled(life, ending.atMs + blurMs)
        ? undefined
        : `was cut off by ${invoked.gateway}, which nobody had killed`;
    case 'unreachable':
      return isDown(life, invoked.atMs, ending.atMs + blurMs)
        ? undefined
        : `could not reach ${invoked.gateway}, which was up`;
  }
}

/** Whoever should come back is told when. */
function refusalProblem({ status, code, retryAfter, isFinal }: CallEnded): string | undefined {
  if (status < 400) return `was refused with status ${status}`;
  if (status === 500 && code !== 'upstream_misconfigured') return 'met a failure of the gateway';
  const mayComeBack = (status === 503 || status === 429) && isFinal !== true;
  if (!mayComeBack || Number(retryAfter) >= 1) return undefined;
  return `was refused with ${status} and Retry-After ${String(retryAfter)}`;
}

function wasKilled(life: ProcessLife | undefined, beforeMs: number): boolean {
  return life?.ended === 'killed' && (life.endingAtMs ?? Infinity) <= beforeMs;
}

function isDown(life: ProcessLife | undefined, fromMs: number, toMs: number): boolean {
  if (!life) return true;
  return life.startedAtMs > fromMs || (life.endingAtMs ?? Infinity) <= toMs;
}

function namesOf(endings: readonly CallEnded[]): string {
  return endings.map(({ ending }) => ending).join(', ');
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'I1', subject, message };
}
