import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';

const SYNC_SECONDS = 15;
const STABILISATION_SECONDS = 300;
const TARGET_UTILISATION = 0.7;
/** In one sync at most double, or four more if that is more. */
const GROWTH_FACTOR = 2;
const GROWTH_TASKS = 4;

/**
 * A horizontal pod autoscaler fed by KEDA with requests in flight and waiting, the highest since it last
 * looked: proportional, and going down only to the highest of what it wanted in the last five minutes.
 */
export function keda({ workload }: Scene): Policy {
  const perTask = workload.slotsPerTask * TARGET_UTILISATION;
  const wants: { readonly at: number; readonly tasks: number }[] = [];
  return {
    act: (now, history, fleet) => {
      if (now % SYNC_SECONDS !== 0) return;
      // A controller that has just started knows the size it found, and holds it as any other want.
      if (wants.length === 0) wants.push({ at: now, tasks: fleet.desired });
      const load =
        history.maximum('inFlight', now, SYNC_SECONDS) +
        history.maximum('waiting', now, SYNC_SECONDS);
      const wanted = Math.ceil(load / perTask);
      wants.push({ at: now, tasks: wanted });
      while ((wants[0]?.at ?? now) <= now - STABILISATION_SECONDS) wants.shift();

      const highest = Math.max(...wants.map(({ tasks }) => tasks));
      const stabilised = wanted < fleet.desired ? Math.min(fleet.desired, highest) : wanted;
      const most = Math.max(fleet.desired * GROWTH_FACTOR, fleet.desired + GROWTH_TASKS);
      fleet.order(now, Math.min(stabilised, most));
    },
  };
}
