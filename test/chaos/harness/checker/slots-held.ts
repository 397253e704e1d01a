import type { Evidence, UpstreamAttempt } from '../evidence';
import type { CallStory } from './call-story';
import type { Violation } from './violation';

/**
 * I4: never more calls at the model than slots, by process and in all; every call ended; a client's departure
 * ended its call in time.
 */
export function slotsHeld(
  stories: readonly CallStory[],
  { settings, upstream }: Evidence,
): readonly Violation[] {
  const { slotsPerTask, gateways, blurMs } = settings;
  const found: Violation[] = [];
  const held = (subject: string, attempts: readonly UpstreamAttempt[], limit: number): void => {
    const most = mostAtOnce(attempts, blurMs);
    if (most > limit) found.push(violation(subject, `${most} calls at once, ${limit} slots`));
  };
  held('all processes', upstream, slotsPerTask * gateways);
  for (const [gateway, attempts] of byGateway(stories)) held(gateway, attempts, slotsPerTask);

  for (const { attemptId, outcome } of upstream) {
    if (outcome === 'running') found.push(violation(attemptId, 'still runs at the model'));
  }
  return [...found, ...stories.flatMap((story) => lateAborts(story, settings))];
}

function byGateway(stories: readonly CallStory[]): Map<string, UpstreamAttempt[]> {
  const byName = new Map<string, UpstreamAttempt[]>();
  for (const { invoked, attempts } of stories) {
    const seen = attempts.flatMap(({ upstream }) => upstream ?? []);
    if (invoked) byName.set(invoked.gateway, [...(byName.get(invoked.gateway) ?? []), ...seen]);
  }
  return byName;
}

/** The most calls that overlapped by more than the blur: the model learns of an end a little late. */
export function mostAtOnce(attempts: readonly UpstreamAttempt[], blurMs: number): number {
  const changes = attempts.flatMap((attempt) => {
    const endMs = attempt.peerClosedAtMs ?? attempt.endedAtMs ?? Infinity;
    if (endMs - blurMs <= attempt.startedAtMs) return [];
    return [
      { atMs: attempt.startedAtMs, by: 1 },
      { atMs: endMs - blurMs, by: -1 },
    ];
  });
  changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

function lateAborts(story: CallStory, settings: Evidence['settings']): Violation[] {
  const [ending] = story.endings;
  if (ending?.ending !== 'left') return [];
  const limitMs = ending.atMs + settings.departureNoticeMs + settings.blurMs;
  return story.attempts.flatMap(({ upstream }) => {
    const endMs = upstream?.peerClosedAtMs ?? upstream?.endedAtMs;
    if (!upstream || endMs === undefined || endMs <= limitMs) return [];
    const lateMs = Math.round(endMs - ending.atMs);
    return [violation(upstream.attemptId, `was ended ${lateMs} ms after its client had left`)];
  });
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'I4', subject, message };
}
