import { randomUUID } from 'node:crypto';

import { every } from '../clock/clock';
import { targetKey } from '../elastic-load-balancing/core/target-health';
import type { TargetGroup } from '../elastic-load-balancing/target-groups';
import { afterTaskEnded, deployed, planService, settled } from './core/service-plan';
import type { Service } from './core/service-plan';
import { newTask } from './core/task';
import type { NewTask, Task } from './core/task';
import type { TaskDefinition } from './core/task-definition';
import { serviceEvents } from './service-events';
import type { ServiceEvent } from './service-events';
import { runTask } from './task-runner';
import type { RunningTask, TaskRunnerOptions } from './task-runner';
import { TASK_ADDRESS, targetRegistration } from './target-registration';
import type { TargetRegistration } from './target-registration';

export interface ClusterOptions extends Omit<TaskRunnerOptions, 'onChange' | 'portIsTaken'> {
  readonly targetGroup: (arn: string) => TargetGroup | undefined;
}

interface NewService {
  readonly name: string;
  readonly definition: TaskDefinition;
  readonly desiredCount: number;
  readonly targetGroupArn?: string;
  readonly healthCheckGraceMs?: number;
}

/** Tasks and services of one cluster, kept at their desired counts. */
export interface Cluster {
  tasks(): readonly Task[];
  task(id: string): RunningTask | undefined;
  run(wanted: Omit<NewTask, 'id'>): Task;
  services(): readonly Service[];
  service(name: string): Service | undefined;
  events(name: string): readonly ServiceEvent[];
  createService(wanted: NewService): Service;
  resize(name: string, desiredCount: number): void;
  deploy(name: string, definition: TaskDefinition): void;
  removeService(name: string): void;
  onTaskChange(listener: (task: Task) => void): () => void;
  /** Kills every task and forgets them. */
  close(): Promise<void>;
}

const HEALTH_LOOK_MS = 5_000;
const GRACE_MS = 300_000;
// ECS shows stopped tasks for about an hour.
const STOPPED_SHOWN_MS = 3_600_000;

export function startCluster(options: ClusterOptions): Cluster {
  const { clock } = options;
  const running = new Map<string, RunningTask>();
  const services = new Map<string, Service>();
  const events = serviceEvents(clock);
  const listeners = new Set<(task: Task) => void>();
  const closing = new AbortController();

  const tasks = (): Task[] => [...running.values()].map((entry) => entry.current());
  const tasksOf = (name: string): Task[] =>
    tasks().filter(({ group }) => group === `service:${name}`);

  const registrationOf = (task: Task): TargetRegistration | undefined => {
    const arn = services.get(serviceName(task))?.targetGroupArn;
    const group = arn === undefined ? undefined : options.targetGroup(arn);
    return group === undefined ? undefined : targetRegistration(group, clock, closing.signal);
  };

  const launch = (wanted: Omit<NewTask, 'id'>): Task => {
    const id = randomUUID().replaceAll('-', '');
    const task = newTask({ ...wanted, id }, clock.nowMs());
    const entry = runTask(task, registrationOf(task), {
      ...options,
      portIsTaken: (port) =>
        tasks().some(
          (other) => other.pid !== undefined && (other.port === port || other.healthPort === port),
        ),
      onChange: (changed) => {
        for (const listener of listeners) listener(changed);
        if (changed.lastStatus === 'STOPPED') taskEnded(changed);
      },
    });
    running.set(id, entry);
    return task;
  };

  const taskEnded = (task: Task): void => {
    const service = services.get(serviceName(task));
    if (service === undefined) return;
    if (task.stopCode !== 'ServiceSchedulerInitiated' && task.stopCode !== 'UserInitiated') {
      services.set(service.name, afterTaskEnded(service, startedWell(task), clock.nowMs()));
      events.add(service.name, `has stopped a task ${task.id}: ${task.stoppedReason ?? ''}`);
    }
    // The runner is still inside its last change; the plan must see the task as it then is.
    queueMicrotask(() => reconcile(service.name));
  };

  const isReady = (service: Service, task: Task): boolean => {
    if (task.lastStatus !== 'RUNNING') return false;
    return service.targetGroupArn === undefined || healthOf(service, task) === 'healthy';
  };

  const healthOf = (service: Service, task: Task): string | undefined => {
    const group = options.targetGroup(service.targetGroupArn ?? '');
    const key = targetKey({ id: TASK_ADDRESS, port: task.port ?? 0 });
    return group?.targets().find((target) => targetKey(target) === key)?.state;
  };

  const reconcile = (name: string): void => {
    const found = services.get(name);
    if (found === undefined || closing.signal.aborted) return;
    const service = settled(found, tasksOf(name));
    services.set(name, service);
    const plan = planService(
      service,
      tasksOf(name),
      (task) => isReady(service, task),
      clock.nowMs(),
    );
    const [primary] = service.deployments;
    for (const { id } of plan.stop) {
      const reason = `Scaling activity initiated by (deployment ${primary.id})`;
      running.get(id)?.stop('ServiceSchedulerInitiated', reason);
    }
    const wanted = { definition: primary.definition, startedBy: primary.id };
    const common = { group: `service:${name}`, environment: {}, tags: [] };
    const started = Array.from({ length: plan.start }, () => launch({ ...wanted, ...common }));
    if (started.length > 0) events.add(name, `has started ${started.length} tasks`);
    if (plan.stop.length > 0) events.add(name, `has stopped ${plan.stop.length} running tasks`);
  };

  const replaceUnhealthy = (service: Service): void => {
    for (const task of tasksOf(service.name)) {
      const graceEndsMs = (task.startedAtMs ?? Infinity) + service.healthCheckGraceMs;
      if (task.desiredStatus === 'STOPPED' || clock.nowMs() < graceEndsMs) continue;
      if (healthOf(service, task) !== 'unhealthy') continue;
      const reason = `Task failed ELB health checks in (target-group ${service.targetGroupArn ?? ''})`;
      running.get(task.id)?.stop('ServiceSchedulerInitiated', reason);
    }
  };

  const forgetLongStopped = (): void => {
    for (const { id, stoppedAtMs } of tasks()) {
      if (stoppedAtMs !== undefined && clock.nowMs() - stoppedAtMs > STOPPED_SHOWN_MS) {
        running.delete(id);
      }
    }
  };

  const stopLooking = every(clock, HEALTH_LOOK_MS, () => {
    for (const service of services.values()) {
      if (service.targetGroupArn !== undefined) replaceUnhealthy(service);
      reconcile(service.name);
    }
    forgetLongStopped();
  });

  const change = (name: string, changed: (service: Service) => Service): void => {
    const service = services.get(name);
    if (service !== undefined) services.set(name, changed(service));
    reconcile(name);
  };

  const deploymentOf = (definition: TaskDefinition) => ({
    id: `ecs-svc/${randomUUID().replaceAll('-', '').slice(0, 19)}`,
    definition,
    createdAtMs: clock.nowMs(),
  });

  return {
    tasks,
    task: (id) => running.get(id),
    run: launch,
    services: () => [...services.values()],
    service: (name) => services.get(name),
    events: (name) => events.of(name),
    createService(wanted) {
      const service: Service = {
        name: wanted.name,
        desiredCount: wanted.desiredCount,
        targetGroupArn: wanted.targetGroupArn,
        deployments: [deploymentOf(wanted.definition)],
        healthCheckGraceMs: wanted.healthCheckGraceMs ?? GRACE_MS,
        createdAtMs: clock.nowMs(),
        failedStarts: 0,
        retryAtMs: 0,
      };
      services.set(wanted.name, service);
      reconcile(wanted.name);
      return service;
    },
    resize(name, desiredCount) {
      change(name, (service) => ({ ...service, desiredCount }));
    },
    deploy(name, definition) {
      change(name, (service) => deployed(service, deploymentOf(definition)));
    },
    removeService(name) {
      change(name, (service) => ({ ...service, desiredCount: 0 }));
      services.delete(name);
    },
    onTaskChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing.abort();
      stopLooking();
      const entries = [...running.values()];
      for (const entry of entries) {
        entry.stop('ServiceSchedulerInitiated', 'The cluster is closing');
        entry.kill();
      }
      await Promise.all(entries.map((entry) => entry.finished));
    },
  };
}

function serviceName(task: Task): string {
  return task.group.startsWith('service:') ? task.group.slice('service:'.length) : '';
}

// A task that ran this long has served; its end is not a failure to start.
const STARTED_WELL_MS = 60_000;

function startedWell(task: Task): boolean {
  return (task.stoppingAtMs ?? 0) - (task.startedAtMs ?? Infinity) > STARTED_WELL_MS;
}
