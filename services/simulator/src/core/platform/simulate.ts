import { createFleet, type Fleet, type FleetView } from './fleet';
import { createHistory, type History } from './history';
import { createQueue, type Queue } from './queue';
import type { Scene } from './scene';

/** Looks at the past after every second and gives orders to the fleet. */
export interface Policy {
  readonly act: (now: number, history: History, fleet: Fleet) => void;
  /** Who knows how long each task will take orders each in time: on average, as if all took the same. */
  readonly isClairvoyant?: true;
}

/** What a run cost and whom it failed; only what counts. */
export interface Outcome {
  /** Running and starting. */
  readonly taskSeconds: number;
  readonly late: number;
  readonly dropped: number;
  readonly operations: number;
  readonly scoredSeconds: number;
}

/** Sees every second of a run, for a plot. */
export type Observer = (second: number, queue: Queue, fleet: FleetView) => void;

/** What the mean demand fills; the unscored beginning lets every policy leave it. */
const TASKS_AT_FIRST = 20;

/** Plays the traffic against a policy. The same scene and policy give the same outcome, always. */
export function simulate(scene: Scene, policy: Policy, observe?: Observer): Outcome {
  const { workload, limits } = scene;
  const queue = createQueue(workload);
  const { startUp } = limits;
  const known = policy.isClairvoyant ? { seconds: startUp.seconds } : startUp;
  const fleet = createFleet({ ...limits, startUp: known }, TASKS_AT_FIRST);
  const history = createHistory();
  const seconds = workload.arrivals.length;
  let taskSeconds = 0;
  let operationsBefore = 0;

  for (let second = 0; second < seconds; second += 1) {
    if (second === workload.unscoredSeconds) operationsBefore = fleet.operations;
    fleet.wake(second);
    queue.step(second, fleet.running * workload.slotsPerTask);
    history.record(second, queue, fleet);
    if (second >= workload.unscoredSeconds) taskSeconds += fleet.running + fleet.starting;
    observe?.(second, queue, fleet);
    policy.act(second + 1, history, fleet);
  }

  queue.close(seconds);
  return {
    taskSeconds,
    late: queue.late,
    dropped: queue.dropped,
    operations: fleet.operations - operationsBefore,
    scoredSeconds: Math.max(0, seconds - workload.unscoredSeconds),
  };
}
