import { every } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import type { MetricDatum } from '../cloudwatch/core/metric';
import type { TargetGroup } from '../elastic-load-balancing/target-groups';
import type { LogLine, LogSink } from '../log-driver/log-driver';
import { recentLines } from '../log-driver/recent-lines';
import { serveAws } from '../wire/aws-endpoint';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { awsJsonProtocol } from '../wire/aws-json-protocol';
import { startCluster } from './cluster';
import type { Cluster } from './cluster';
import { clusterMeter } from './cluster-metrics';
import type { Task } from './core/task';
import type { TaskDefinitionOptions } from './core/task-definition';
import { definitionBook } from './definitions';
import { ecsScript } from './ecs-script';
import type { EcsScript } from './ecs-script';
import { arnsOf } from './present';
import { serviceOperations } from './service-operations';
import { answerMetadata, metadataPath } from './task-metadata';
import { taskOperations } from './task-operations';
import type { TaskDelays } from './task-runner';

export interface ServiceOptions {
  readonly name: string;
  readonly taskDefinition: string;
  readonly desiredCount: number;
  readonly targetGroupArn?: string;
  /** @default 300_000 */
  readonly healthCheckGraceMs?: number;
}

export interface EcsOptions {
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** @default 'matsuri' */
  readonly cluster?: string;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
  readonly taskDefinitions?: readonly TaskDefinitionOptions[];
  readonly services?: readonly ServiceOptions[];
  /** How long a task takes before its program starts. Health checks and traffic follow it. */
  readonly delays?: Partial<TaskDelays>;
  /** Finds the target group a service registers its tasks in. */
  readonly targetGroup?: (arn: string) => TargetGroup | undefined;
  /** Takes every line that tasks write. */
  readonly log?: LogSink;
  /** Offered every line of standard output; true when it held metrics. */
  readonly ingestEmf?: (line: string) => boolean;
  /** Takes the metrics of AWS/ECS and ECS/ContainerInsights, once a virtual minute. */
  readonly publish?: (data: readonly MetricDatum[]) => void;
}

/** What Application Auto Scaling may do with an ECS service. */
interface ScalableServices {
  /** By `service/<cluster>/<name>`; undefined when there is no such service. */
  desiredCount(resourceId: string): number | undefined;
  setDesiredCount(resourceId: string, desiredCount: number): void;
}

/** ECS on loopback, with processes for tasks. */
export interface EcsStandIn extends AwsEndpoint {
  readonly script: EcsScript;
  readonly scalable: ScalableServices;
  registerTaskDefinition(options: TaskDefinitionOptions): void;
  createService(options: ServiceOptions): void;
  tasks(): readonly Task[];
  /** Ends a task's program as the kernel does when its memory is exhausted. */
  killForMemory(taskId: string): void;
  /** Ends a task's program with SIGKILL, as a crash would. */
  kill(taskId: string): void;
  onTaskChange(listener: (task: Task) => void): () => void;
  /** The latest lines a task wrote. */
  logs(taskId: string): readonly LogLine[];
}

const METRICS_MS = 60_000;

export async function startEcsStandIn(options: EcsOptions = {}): Promise<EcsStandIn> {
  const clock = options.clock ?? scaledClock();
  const clusterName = options.cluster ?? 'matsuri';
  const region = options.region ?? 'ap-northeast-1';
  const arns = arnsOf(region, clusterName);
  const definitions = definitionBook(options.taskDefinitions ?? []);
  const script = ecsScript();
  const recent = recentLines();

  const cluster: Cluster = startCluster({
    clock,
    delays: { provisionMs: 10_000, pullMs: 15_000, ...options.delays },
    environmentOf: (task) => ({
      AWS_REGION: region,
      ECS_CONTAINER_METADATA_URI_V4: `${endpoint.url}${metadataPath(task.id)}`,
      ...task.definition.environment,
      ...task.environment,
      ...(task.port === undefined ? {} : { PORT: String(task.port) }),
      ...(task.healthPort === undefined ? {} : { HEALTH_PORT: String(task.healthPort) }),
    }),
    log: (line) => {
      recent.add(line);
      return options.log?.(line);
    },
    ingestEmf: options.ingestEmf,
    startFailure: () => script.takeStartFailure(),
    targetGroup: options.targetGroup ?? (() => undefined),
  });

  const context = { clusterName, cluster, definitions, arns, script, clock };
  const endpoint = await serveAws({
    protocol: awsJsonProtocol({
      target: 'AmazonEC2ContainerServiceV20141113',
      version: '1.1',
      namespace: 'com.amazonaws.ecs',
    }),
    operations: { ...serviceOperations(context), ...taskOperations(context) },
    beside: (request, response) => answerMetadata(request, response, cluster, arns),
    ...(options.port === undefined ? {} : { port: options.port }),
  });

  const createService = ({ taskDefinition, ...wanted }: ServiceOptions): void => {
    const definition = definitions.find(taskDefinition);
    if (definition === undefined)
      throw new Error(`There is no task definition "${taskDefinition}"`);
    cluster.createService({ ...wanted, definition });
  };
  for (const service of options.services ?? []) createService(service);

  const measure = clusterMeter(cluster, clusterName);
  const stopMeasuring = every(clock, METRICS_MS, () => {
    if (options.publish === undefined) return;
    void measure(clock.nowMs(), performance.now()).then(options.publish);
  });

  return {
    ...endpoint,
    script,
    scalable: scalableServices(cluster, clusterName),
    registerTaskDefinition: (definition) => void definitions.register(definition),
    createService,
    tasks: () => cluster.tasks(),
    killForMemory: (id) => cluster.task(id)?.killForMemory(),
    kill: (id) => cluster.task(id)?.kill(),
    onTaskChange: (listener) => cluster.onTaskChange(listener),
    logs: (id) => recent.of(id),
    async close() {
      stopMeasuring();
      await cluster.close();
      await endpoint.close();
    },
  };
}

function scalableServices(cluster: Cluster, clusterName: string): ScalableServices {
  const nameOf = (resourceId: string): string => {
    const [kind, of, name = ''] = resourceId.split('/');
    return kind === 'service' && of === clusterName ? name : '';
  };
  return {
    desiredCount: (resourceId) => cluster.service(nameOf(resourceId))?.desiredCount,
    setDesiredCount: (resourceId, desiredCount) => cluster.resize(nameOf(resourceId), desiredCount),
  };
}
