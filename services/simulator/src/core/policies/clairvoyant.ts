import { ModelSide } from '../models/model-side';
import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';
import { cheapestSchedule } from '../scoring/cheapest-schedule';
import { neededTasks, tasksFor, unhinderedDemand } from '../scoring/demand';

const BLOCK_SECONDS = 10;

/** As many tasks, always, as the highest second of the traffic needs. */
export function staticPeak({ workload }: Scene): Policy {
  const peak = unhinderedDemand(workload).reduce((highest, it) => Math.max(highest, it), 0);
  const tasks = tasksFor(peak, workload.slotsPerTask);
  return { act: (now, _history, fleet) => fleet.order(now, tasks) };
}

/** The cheapest schedule that lets nobody wait, known in advance and ordered a start-up time ahead. */
export function oracle({ workload, limits, environment, limited }: Scene): Policy {
  const models = limited ? new ModelSide(environment, { limited, clairvoyant: true }) : undefined;
  const demand = unhinderedDemand(workload, models);
  const needed = neededTasks(demand, workload.slotsPerTask, BLOCK_SECONDS).map((tasks) =>
    Math.min(limits.maxTasks, Math.max(limits.minTasks, tasks)),
  );
  const schedule = cheapestSchedule(needed, {
    perBlock: BLOCK_SECONDS,
    perStart: limits.startUp.seconds,
  });
  // Ordering the highest of the coming start-up time never cancels what is on its way.
  return {
    isClairvoyant: true,
    act: (now, _history, fleet) =>
      fleet.order(now, highestBetween(schedule, now, now + limits.startUp.seconds)),
  };
}

function highestBetween(schedule: Uint16Array, fromSecond: number, toSecond: number): number {
  const last = Math.floor(toSecond / BLOCK_SECONDS);
  let highest = 0;
  for (let block = Math.floor(fromSecond / BLOCK_SECONDS); block <= last; block += 1) {
    highest = Math.max(highest, schedule[block] ?? 0);
  }
  return highest;
}
