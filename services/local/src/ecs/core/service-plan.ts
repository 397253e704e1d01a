import type { Task } from './task';
import { isPending } from './task';
import type { TaskDefinition } from './task-definition';

/** One rollout of a service. The newest is primary, the others are on their way out. */
export interface Deployment {
  readonly id: string;
  readonly definition: TaskDefinition;
  readonly createdAtMs: number;
}

export interface Service {
  readonly name: string;
  readonly desiredCount: number;
  readonly targetGroupArn: string | undefined;
  /** Newest first. */
  readonly deployments: readonly [Deployment, ...Deployment[]];
  readonly healthCheckGraceMs: number;
  readonly createdAtMs: number;
  /** Tasks in a row that ended before they served; slows their replacement. */
  readonly failedStarts: number;
  readonly retryAtMs: number;
}

export interface ServicePlan {
  readonly start: number;
  readonly stop: readonly Task[];
}

/**
 * What to start and stop so that a service has its desired count, never fewer ready tasks than that
 * while it rolls out, and never more than twice as many.
 *
 * `isReady` says whether a task serves: running, and healthy where a load balancer watches it.
 */
export function planService(
  service: Service,
  tasks: readonly Task[],
  isReady: (task: Task) => boolean,
  nowMs: number,
): ServicePlan {
  const [primary] = service.deployments;
  const live = tasks.filter(({ desiredStatus }) => desiredStatus === 'RUNNING');
  const current = live.filter(({ startedBy }) => startedBy === primary.id);
  const outgoing = live.filter(({ startedBy }) => startedBy !== primary.id);
  const ceiling = 2 * service.desiredCount;

  const missing = Math.min(service.desiredCount - current.length, ceiling - live.length);
  const surplus = leastMissed(current, isReady).slice(
    0,
    Math.max(current.length - service.desiredCount, 0),
  );

  const serving = current.filter(isReady).length + outgoing.filter(isReady).length;
  const spare = Math.max(serving - service.desiredCount, 0);
  const idle = outgoing.filter((task) => !isReady(task));
  const replaced = outgoing.filter(isReady).slice(0, spare);

  return {
    start: nowMs < service.retryAtMs ? 0 : Math.max(missing, 0),
    stop: [...surplus, ...idle, ...replaced],
  };
}

/** Tasks whose end hurts least come first: those not yet serving, then the youngest. */
function leastMissed(tasks: readonly Task[], isReady: (task: Task) => boolean): readonly Task[] {
  const weight = (task: Task): number => (isPending(task) ? 0 : isReady(task) ? 2 : 1);
  return tasks.toSorted((a, b) => weight(a) - weight(b) || b.createdAtMs - a.createdAtMs);
}

const STARTS_BEFORE_BACKOFF = 3;
const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 900_000;

/** A service whose tasks keep failing to start is given new ones ever more slowly. */
export function afterTaskEnded(service: Service, served: boolean, nowMs: number): Service {
  if (served) return { ...service, failedStarts: 0, retryAtMs: 0 };
  const failedStarts = service.failedStarts + 1;
  const doublings = failedStarts - STARTS_BEFORE_BACKOFF;
  const backoffMs =
    doublings < 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** doublings, LONGEST_BACKOFF_MS);
  return { ...service, failedStarts, retryAtMs: nowMs + backoffMs };
}

/** Begins a new rollout. */
export function deployed(service: Service, deployment: Deployment): Service {
  return {
    ...service,
    deployments: [deployment, ...service.deployments],
    failedStarts: 0,
    retryAtMs: 0,
  };
}

/** Forgets rollouts that have no task left. */
export function settled(service: Service, tasks: readonly Task[]): Service {
  const [primary, ...earlier] = service.deployments;
  const alive = earlier.filter(({ id }) =>
    tasks.some(({ startedBy, lastStatus }) => startedBy === id && lastStatus !== 'STOPPED'),
  );
  return { ...service, deployments: [primary, ...alive] };
}
