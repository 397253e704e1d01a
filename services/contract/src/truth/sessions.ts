import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

/** What a client may come back for is still there when it comes. */
export function sessions({ sessions: figures }: PlatformConfiguration): readonly Contradiction[] {
  if (figures.frameRetentionSeconds > figures.detachedSeconds) return [];
  return [
    error(
      'frames-forgotten-early',
      `An answer goes on for ${figures.detachedSeconds} s without its client, but frames are kept ` +
        `${figures.frameRetentionSeconds} s: a client that returns in time finds a gap.`,
      `Set sessions.frameRetentionSeconds well above ${figures.detachedSeconds}.`,
    ),
  ];
}

/** As measured by `pnpm bench chat`, rounded up. */
const KILOBYTES_PER_SESSION = 27;
/** What idle sessions may take of a task: the rest is the program and the answers it makes. */
const SHARE_FOR_SESSIONS = 0.25;

/** A task takes in what it is meant to hold, and no more than it has memory for. */
export function connectionCap(platform: PlatformConfiguration): readonly Contradiction[] {
  const { sessionsPerTask, memoryMb } = platform.orchestrator;
  const { maxConnectionsPerTask: cap } = platform.sessions;
  const takenMb = Math.ceil((cap * KILOBYTES_PER_SESSION) / 1_024);
  const bearable = Math.floor((SHARE_FOR_SESSIONS * memoryMb * 1_024) / KILOBYTES_PER_SESSION);
  return [
    ...(cap < sessionsPerTask
      ? [
          error(
            'connections-refused-early',
            `A task is meant to hold ${figure(sessionsPerTask)} sessions but refuses WebSockets beyond ${figure(cap)}: ` +
              'no alarm would say that it is full.',
            `Raise sessions.maxConnectionsPerTask above ${figure(sessionsPerTask)}.`,
          ),
        ]
      : []),
    ...(cap > bearable
      ? [
          error(
            'connections-over-memory',
            `${figure(cap)} WebSockets take ${figure(takenMb)} MB of a task's ${figure(memoryMb)} MB ` +
              'before anybody says a word.',
            `Lower sessions.maxConnectionsPerTask to at most ${figure(bearable)}, or raise orchestrator.memoryMb.`,
          ),
        ]
      : []),
  ];
}

/** Mitigation makes answers live longer, never shorter. */
export function cacheTimes({ mitigations }: PlatformConfiguration): readonly Contradiction[] {
  const { normal, event, throttled } = mitigations.cacheSeconds;
  if (normal <= event && event <= throttled) return [];
  return [
    error(
      'cache-times',
      `mitigations.cacheSeconds are ${normal} normal, ${event} in events, ${throttled} when throttled: mitigating would ` +
        'shorten the life of answers and send more calls to the models.',
      'Order them: normal ≤ event ≤ throttled.',
    ),
  ];
}
