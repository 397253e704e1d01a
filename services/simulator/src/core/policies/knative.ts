import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';

const TICK_SECONDS = 2;
const STABLE_SECONDS = 60;
const PANIC_SECONDS = 6;
const PANIC_AT = 2;
const TARGET_UTILISATION = 0.7;
/** At most so many times fewer tasks in one tick. */
const SCALE_DOWN_RATE = 2;

/**
 * Knative's pod autoscaler: concurrency over a minute; when six seconds ask for twice what runs, it
 * panics, follows those, and gives nothing back until a minute after the last such moment.
 */
export function knative({ workload }: Scene): Policy {
  const perTask = workload.slotsPerTask * TARGET_UTILISATION;
  let panicUntil = 0;
  let panicTasks = 0;
  return {
    act: (now, history, fleet) => {
      if (now % TICK_SECONDS !== 0) return;
      const wantedOver = (seconds: number) =>
        Math.ceil(
          (history.mean('inFlight', now, seconds) + history.mean('waiting', now, seconds)) /
            perTask,
        );
      const running = Math.max(1, fleet.running);
      const stable = Math.max(wantedOver(STABLE_SECONDS), Math.floor(running / SCALE_DOWN_RATE));
      const panic = wantedOver(PANIC_SECONDS);

      const panicked = now < panicUntil;
      if (panic / running >= PANIC_AT) panicUntil = now + STABLE_SECONDS;
      if (now >= panicUntil) panicTasks = 0;
      else panicTasks = Math.max(panicked ? panicTasks : fleet.desired, panic, stable);
      fleet.order(now, panicTasks > 0 ? panicTasks : stable);
    },
  };
}
