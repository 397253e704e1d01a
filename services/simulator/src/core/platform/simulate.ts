import { Bill, type Costs } from '../models/bill';
import { ModelSide, throughPerSecond } from '../models/model-side';
import { askModels } from './ask-models';
import { createFleet, type Fleet, type FleetView } from './fleet';
import { createHistory, type History } from './history';
import { createQueue, type Queue } from './queue';
import type { Scene } from './scene';

/** Looks at the past after every second and gives orders to the fleet. */
export interface TaskPolicy {
  readonly act: (now: number, history: History, fleet: Fleet) => void;
}

/** The same, for one who may know of the models behind the tasks. */
export interface Policy {
  readonly act: (now: number, history: History, fleet: Fleet, models: ModelSide) => void;
  /**
   * Who knows how long each task will take orders each in time: on average, as if all took the same. Who knows
   * when models will be short mitigates just then.
   */
  readonly isClairvoyant?: true;
}

/** What a run cost and whom it failed; only what counts. */
export interface Outcome extends Costs {
  readonly late: number;
  readonly dropped: number;
  readonly throttled: number;
  readonly operations: number;
  readonly scoredSeconds: number;
}

/** Sees every second of a run, for a plot. */
export type Observer = (second: number, queue: Queue, fleet: FleetView, models: ModelSide) => void;

/** What the mean demand fills; the unscored beginning lets every policy leave it. */
const TASKS_AT_FIRST = 20;

/** Plays the traffic against a policy. The same scene and policy give the same outcome, always. */
export function simulate(scene: Scene, policy: Policy, observe?: Observer): Outcome {
  const { workload, limits, environment, limited } = scene;
  const models = new ModelSide(environment, { limited, clairvoyant: policy.isClairvoyant });
  const queue = createQueue(workload, limited ? (requests) => models.spare(requests) : undefined);
  const { startUp } = limits;
  const known = policy.isClairvoyant ? { seconds: startUp.seconds } : startUp;
  const fleet = createFleet({ ...limits, startUp: known }, TASKS_AT_FIRST);
  const history = createHistory();
  const bill = new Bill(environment);
  const seconds = workload.arrivals.length;
  let operationsBefore = 0;

  for (let second = 0; second < seconds; second += 1) {
    if (second === workload.unscoredSeconds) operationsBefore = fleet.operations;
    askModels(models, workload, second);
    fleet.wake(second);
    queue.step(second, fleet.running * workload.slotsPerTask);
    history.record(second, queue, fleet);
    if (second >= workload.unscoredSeconds) bookSecond(bill, queue, fleet, models);
    observe?.(second, queue, fleet, models);
    policy.act(second + 1, history, fleet, models);
  }

  queue.close(seconds);
  const { late, dropped, throttled } = queue;
  return {
    ...bill.costs,
    late,
    dropped,
    throttled,
    operations: fleet.operations - operationsBefore,
    scoredSeconds: Math.max(0, seconds - workload.unscoredSeconds),
  };
}

function bookSecond(bill: Bill, queue: Queue, fleet: FleetView, models: ModelSide): void {
  const { passages, units } = models;
  const through = throughPerSecond(passages);
  const times = through === 0 ? 0 : queue.started / through;
  bill.book({ passages, times, units, tasks: fleet.running + fleet.starting, seconds: 1 });
}
