import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformConfiguration } from '@matsuri/contract';
import type { MoveReason } from './chat/sessions/connections';
import type { TargetWatch } from './chat/sessions/target-watch';

export interface DepartureOptions {
  /** Resolves when the process has served its time. */
  readonly servedEnough: Promise<unknown>;
  readonly target?: TargetWatch;
  readonly healthCheck: PlatformConfiguration['orchestrator']['healthCheck'];
}

/** Why and how a task goes. */
export interface Departure {
  /** Resolves when it should begin to: the balancer drains it, or it has served its time. */
  readonly due: Promise<MoveReason>;
  reason(): MoveReason;
  /** Resolves when no new connections are sent here any more. */
  unrouted(signal: AbortSignal): Promise<void>;
}

const LOOK_MS = 500;

/**
 * A task that was told to go has left its balancer already. One that goes by itself has not: it keeps serving until
 * its readiness has been seen to be off.
 */
export function planDeparture(options: DepartureOptions): Departure {
  const { servedEnough, target, healthCheck } = options;
  const noticeMs = healthCheck.intervalSeconds * (healthCheck.unhealthyCount + 1) * 1_000;
  let reason: MoveReason = 'drain';
  const recycled = servedEnough.then(() => {
    reason = 'recycle';
    return reason;
  });
  const drained = target?.draining.then(() => reason) ?? recycled;

  return {
    due: Promise.race([recycled, drained]),
    reason: () => reason,
    async unrouted(signal) {
      const untilMs = performance.now() + noticeMs;
      while (reason === 'recycle' && performance.now() < untilMs && !signal.aborted) {
        if (target?.isRouted() === false) return;
        await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
