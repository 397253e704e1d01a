import type { PlatformConfiguration } from '@matsuri/contract';
import type { Cycle } from '../cycle';
import { averageLoad } from '../history';
import { loadOf, prolonged, tasksFor, type Load } from '../load';
import type { Floor } from '../plan';
import { count, figure } from '../wording';
import { strainOf } from './strain';

/** A minute tells a level from a flicker. */
const LEVEL_SECONDS = 60;
/** More waiting than this share of what runs is not noise: somebody was let in faster than tasks can follow. */
const CROWD_SHARE = 0.5;

/**
 * What the load asks for: the last minute with room to spare, this moment without, the next one when a crowd
 * comes in; and more of it while something says that it hurts.
 */
export function reactiveFloor(cycle: Cycle): Floor | undefined {
  const { history, configuration, nowMs, measured } = cycle;
  const present = history.at(-1);
  const level = averageLoad(history, nowMs - LEVEL_SECONDS * 1_000);
  if (measured.atMs === undefined || present === undefined || level === undefined) return undefined;
  const { preemptivePercent } = configuration.autoscaler.scaleOut;
  const now = loadOf(present);
  const steady = tasksFor(level, configuration, preemptivePercent / 100);
  const carrying = Math.max(steady, tasksFor(now, configuration, 1), crowdTasks(cycle, now));
  const what =
    `${figure(now.tokensPerSecond)} tokens/s and ${figure(now.busySlots)} busy slots ` +
    `(${figure(level.busySlots)} over a minute) need ${count(carrying, 'task')}`;
  return eased({ carrying, steady }, what, cycle);
}

interface Carriers {
  readonly carrying: number;
  /** By the last minute alone. */
  readonly steady: number;
}

/** The headroom goes on top of the minute's level: a crowd of this moment was counted in full already. */
function eased({ carrying, steady }: Carriers, what: string, cycle: Cycle): Floor {
  const strain = strainOf(cycle);
  if (strain === undefined) return { kind: 'reactive', tasks: carrying, reason: what };
  const { headroomPercent, minimumStepTasks } = cycle.configuration.autoscaler.scaleOut;
  const tasks = Math.max(
    carrying,
    steady + minimumStepTasks,
    Math.ceil(steady * (1 + headroomPercent / 100)),
  );
  const reason = `${what}; ${strain}, so ${headroomPercent} % more: ${count(tasks, 'task')}`;
  return { kind: 'reactive', tasks, reason };
}

/** A crowd that comes in brings as many again before the next cycle sees it. */
function crowdTasks({ history, measured, configuration }: Cycle, now: Load): number {
  const before = history.at(-2);
  const { inFlight = 0, waiting = 0 } = measured;
  if (before === undefined || waiting <= inFlight * CROWD_SHARE) return 0;
  return tasksFor(
    within(prolonged(loadOf(before), now), history.map(loadOf), configuration),
    configuration,
    configuration.autoscaler.scaleOut.predictedPercent / 100,
  );
}

function within(load: Load, seen: readonly Load[], { autoscaler }: PlatformConfiguration): Load {
  const most = (of: (it: Load) => number) =>
    Math.max(...seen.map(of)) * autoscaler.predictionClampFactor;
  return {
    tokensPerSecond: Math.min(
      load.tokensPerSecond,
      most((it) => it.tokensPerSecond),
    ),
    busySlots: Math.min(
      load.busySlots,
      most((it) => it.busySlots),
    ),
  };
}
