import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformConfiguration } from '@matsuri/contract';
import type { MoveReason } from './chat/sessions/connections';
import type { TargetWatch } from './chat/sessions/target-watch';

export interface DepartureOptions {
  /** Resolves when the process has served its time. */
  readonly servedEnough: Promise<unknown>;
  /** Waits for its turn among tasks that have served theirs; `false`: it was told to wait no longer. */
  readonly takeTurn: (signal: AbortSignal) => Promise<boolean>;
  readonly target?: TargetWatch;
  readonly healthCheck: PlatformConfiguration['orchestrator']['healthCheck'];
}

/** Why and how a task goes. */
export interface Departure {
  /** Resolves when it should begin to: the balancer drains it, or it has served its time and is next to go. */
  readonly due: Promise<MoveReason>;
  reason(): MoveReason;
  /** The task goes. Resolves when no new connections are sent here any more. */
  unrouted(signal: AbortSignal): Promise<void>;
}

/**
 * A task that was told to go has left its balancer already. One that goes by itself has not: it keeps serving until
 * its readiness has been seen to be off.
 */
export function planDeparture(options: DepartureOptions): Departure {
  const { servedEnough, takeTurn, target, healthCheck } = options;
  const noticeMs = healthCheck.intervalSeconds * (healthCheck.unhealthyCount + 1) * 1_000;
  const { promise: due, resolve } = Promise.withResolvers<MoveReason>();
  const staying = new AbortController();
  let reason: MoveReason = 'drain';

  const leave = (why: MoveReason): void => {
    if (staying.signal.aborted) return;
    reason = why;
    staying.abort();
    resolve(why);
  };
  void target?.draining.then(() => leave('drain'));
  void servedEnough
    .then(() => takeTurn(staying.signal))
    .then((isNext) => {
      if (isNext) leave('recycle');
    });

  return {
    due,
    reason: () => reason,
    async unrouted(signal) {
      staying.abort();
      if (reason === 'recycle') {
        const noticed = pause(noticeMs, undefined, { signal, ref: false }).catch(() => undefined);
        await Promise.race([noticed, target?.whenUnrouted() ?? noticed]);
      }
      target?.stop();
    },
  };
}
