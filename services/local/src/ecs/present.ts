import type { Cluster } from './cluster';
import type { Deployment, Service } from './core/service-plan';
import { isPending } from './core/task';
import type { Task } from './core/task';
import type { TaskDefinition } from './core/task-definition';
import { TASK_ADDRESS } from './target-registration';

/** How the resources of a cluster are named. */
export interface Arns {
  readonly cluster: string;
  service(name: string): string;
  task(id: string): string;
  taskDefinition(definition: TaskDefinition): string;
}

export function arnsOf(region: string, clusterName: string): Arns {
  const prefix = `arn:aws:ecs:${region}:000000000000`;
  return {
    cluster: `${prefix}:cluster/${clusterName}`,
    service: (name) => `${prefix}:service/${clusterName}/${name}`,
    task: (id) => `${prefix}:task/${clusterName}/${id}`,
    taskDefinition: ({ family, revision }) => `${prefix}:task-definition/${family}:${revision}`,
  };
}

export function presentTask(task: Task, arns: Arns): Record<string, unknown> {
  const taskArn = arns.task(task.id);
  return {
    taskArn,
    clusterArn: arns.cluster,
    taskDefinitionArn: arns.taskDefinition(task.definition),
    group: task.group,
    startedBy: task.startedBy,
    lastStatus: task.lastStatus,
    desiredStatus: task.desiredStatus,
    launchType: 'FARGATE',
    cpu: String(task.definition.cpuUnits),
    memory: task.definition.memoryMiB === undefined ? undefined : String(task.definition.memoryMiB),
    createdAt: seconds(task.createdAtMs),
    startedAt: seconds(task.startedAtMs),
    stoppingAt: seconds(task.stoppingAtMs),
    stoppedAt: seconds(task.stoppedAtMs),
    stopCode: task.stopCode,
    stoppedReason: task.stoppedReason,
    tags: task.tags,
    containers: [
      {
        containerArn: `${taskArn}/${task.definition.containerName}`,
        taskArn,
        name: task.definition.containerName,
        lastStatus: task.lastStatus === 'STOPPED' ? 'STOPPED' : containerStatus(task),
        exitCode: task.exitCode,
        reason: task.containerReason,
        networkBindings: bindings(task),
        networkInterfaces: [{ privateIpv4Address: TASK_ADDRESS }],
      },
    ],
  };
}

export function presentDefinition(definition: TaskDefinition, arns: Arns): Record<string, unknown> {
  return {
    taskDefinitionArn: arns.taskDefinition(definition),
    family: definition.family,
    revision: definition.revision,
    status: 'ACTIVE',
    cpu: String(definition.cpuUnits),
    memory: definition.memoryMiB === undefined ? undefined : String(definition.memoryMiB),
    containerDefinitions: [
      {
        name: definition.containerName,
        essential: true,
        command: definition.command,
        environment: Object.entries(definition.environment).map(([name, value]) => ({
          name,
          value,
        })),
        stopTimeout: definition.stopTimeoutMs / 1_000,
      },
    ],
  };
}

export function presentService(
  service: Service,
  cluster: Cluster,
  arns: Arns,
): Record<string, unknown> {
  const tasks = cluster.tasks().filter(({ group }) => group === `service:${service.name}`);
  const [primary] = service.deployments;
  return {
    serviceArn: arns.service(service.name),
    serviceName: service.name,
    clusterArn: arns.cluster,
    status: 'ACTIVE',
    launchType: 'FARGATE',
    schedulingStrategy: 'REPLICA',
    desiredCount: service.desiredCount,
    ...counts(tasks),
    taskDefinition: arns.taskDefinition(primary.definition),
    createdAt: seconds(service.createdAtMs),
    loadBalancers:
      service.targetGroupArn === undefined
        ? []
        : [
            {
              targetGroupArn: service.targetGroupArn,
              containerName: primary.definition.containerName,
            },
          ],
    deployments: service.deployments.map((deployment) =>
      presentDeployment(deployment, service, tasks, arns),
    ),
    events: cluster.events(service.name).map(({ id, createdAtMs, message }) => ({
      id,
      createdAt: seconds(createdAtMs),
      message,
    })),
  };
}

function presentDeployment(
  deployment: Deployment,
  service: Service,
  tasks: readonly Task[],
  arns: Arns,
): Record<string, unknown> {
  const isPrimary = deployment === service.deployments[0];
  const own = tasks.filter(({ startedBy }) => startedBy === deployment.id);
  const { runningCount, pendingCount } = counts(own);
  const isComplete =
    isPrimary && runningCount === service.desiredCount && service.deployments.length === 1;
  return {
    id: deployment.id,
    status: isPrimary ? 'PRIMARY' : 'ACTIVE',
    taskDefinition: arns.taskDefinition(deployment.definition),
    desiredCount: isPrimary ? service.desiredCount : 0,
    runningCount,
    pendingCount,
    failedTasks: isPrimary ? service.failedStarts : 0,
    createdAt: seconds(deployment.createdAtMs),
    rolloutState: isComplete ? 'COMPLETED' : 'IN_PROGRESS',
  };
}

function counts(tasks: readonly Task[]): { runningCount: number; pendingCount: number } {
  return {
    runningCount: tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING').length,
    pendingCount: tasks.filter((task) => isPending(task) && task.desiredStatus === 'RUNNING')
      .length,
  };
}

function containerStatus(task: Task): string {
  return isPending(task) ? 'PENDING' : 'RUNNING';
}

function bindings({ port }: Task): unknown[] {
  if (port === undefined) return [];
  return [{ bindIP: TASK_ADDRESS, containerPort: port, hostPort: port, protocol: 'tcp' }];
}

function seconds(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : atMs / 1_000;
}
