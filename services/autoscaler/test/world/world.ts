import { randomUUID } from 'node:crypto';
import {
  ApplicationAutoScalingClient,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { CreateTableCommand, DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  ALERT_TOPICS,
  AUTOSCALER_ITEMS,
  configure,
  encodeOverrides,
  MODEL_CATALOGUE,
  serviceName,
  TABLES,
  type autoscalerEnvironment,
  type autoscalerSecrets,
  type PlatformConfiguration,
  type PlatformOverrides,
  type Provides,
} from '@matsuri/contract';
import {
  requireRedis,
  scaledClock,
  startApplicationAutoScalingStandIn,
  startCloudWatchStandIn,
  startEcsStandIn,
  startProvisionedThroughputStandIn,
  startRedis,
  startSnsStandIn,
  type ApplicationAutoScalingStandIn,
  type CloudWatchStandIn,
  type EcsStandIn,
  type ProvisionedThroughputStandIn,
  type ScaledClock,
  type SnsStandIn,
} from '@matsuri/local';
import { Redis } from 'ioredis';

const REGION = 'ap-northeast-1';
const CLUSTER = 'matsuri';

export interface WorldOptions {
  readonly timeScale: number;
  readonly startAt: string;
  readonly overrides: PlatformOverrides;
  /** Tasks that run when the curtain rises. */
  readonly tasks: number;
}

/** Everything the autoscaler touches, on one compressed clock. */
export interface CapacityWorld {
  readonly clock: ScaledClock;
  readonly configuration: PlatformConfiguration;
  readonly cloudwatch: CloudWatchStandIn;
  readonly ecs: EcsStandIn;
  readonly scaling: ApplicationAutoScalingStandIn;
  readonly market: ProvisionedThroughputStandIn;
  readonly sns: SnsStandIn;
  readonly service: string;
  /** The floor in force. */
  floor(): number;
  running(): number;
  desired(): number;
  /** A record of Redis, if it lives. */
  redisRecord(key: string): Promise<string | null>;
  /** Whom the persisted state belongs to. */
  stateEpoch(): Promise<number>;
  /** The variables of an autoscaler in this world, its clock included. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the stand-ins, a service of idle tasks, and its scalable target. */
export async function startWorld(options: WorldOptions): Promise<CapacityWorld> {
  const { overrides, tasks } = options;
  const configuration = configure(overrides);
  const service = serviceName(configuration.product.name, 'orchestrator');
  const clock = scaledClock({
    timeScale: options.timeScale,
    startAtMs: Date.parse(options.startAt),
  });
  const closing: (() => Promise<unknown> | undefined)[] = [];
  const cloudwatch = await startCloudWatchStandIn({ clock });
  const ecs = await startEcsStandIn({
    clock,
    cluster: CLUSTER,
    taskDefinitions: [{ family: service, command: ['sleep', '86400'], listens: false }],
    services: [{ name: service, taskDefinition: service, desiredCount: tasks }],
  });
  const scaling = await startApplicationAutoScalingStandIn({
    clock,
    services: ecs.scalable,
    alarms: cloudwatch.alarms,
  });
  const market = await startProvisionedThroughputStandIn({
    clock,
    activationMs: configuration.provisioned.activationSeconds * 1_000,
    modelUnitQuotas: Object.fromEntries(
      Object.values(MODEL_CATALOGUE.models).map(({ bedrockId }) => [bedrockId, 100]),
    ),
  });
  const sns = await startSnsStandIn({ clock, topics: Object.values(ALERT_TOPICS) });
  const redis = requireRedis(await startRedis());
  closing.push(...[cloudwatch, scaling, market, sns, redis, ecs].map((it) => () => it.close()));

  const account = { region: REGION, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
  const dynamodb = new DynamoDBClient(account);
  const table = `autoscaler-${randomUUID()}`;
  await dynamodb.send(tableOf(table));
  const resourceId = `service/${CLUSTER}/${service}`;
  const client = new ApplicationAutoScalingClient({ ...account, endpoint: scaling.url });
  await client.send(
    new RegisterScalableTargetCommand({
      ServiceNamespace: 'ecs',
      ResourceId: resourceId,
      ScalableDimension: 'ecs:service:DesiredCount',
      MinCapacity: tasks,
      MaxCapacity: configuration.scaling.maxTasks,
    }),
  );
  client.destroy();
  const reader = new Redis(redis.url);

  const environment = {
    CLOCK_ORIGIN: JSON.stringify(clock.origin),
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL_APPLICATION_AUTO_SCALING: scaling.url,
    AWS_ENDPOINT_URL_BEDROCK: market.url,
    AWS_ENDPOINT_URL_CLOUDWATCH: cloudwatch.url,
    AWS_ENDPOINT_URL_DYNAMODB: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    AWS_ENDPOINT_URL_ECS: ecs.url,
    AWS_ENDPOINT_URL_SNS: sns.url,
    PLATFORM_OVERRIDES: encodeOverrides(overrides),
    LOG_LEVEL: 'info',
    HEALTH_PORT: '0',
    REDIS_URL: redis.url,
    REDIS_PASSWORD: '',
    AUTOSCALER_TABLE: table,
    CLUSTER_NAME: CLUSTER,
    SERVICE_NAME: service,
    PAGE_TOPIC_ARN: sns.topicArn(ALERT_TOPICS.page),
    TICKET_TOPIC_ARN: sns.topicArn(ALERT_TOPICS.ticket),
    MODE: 'apply',
  } satisfies Provides<typeof autoscalerEnvironment, string> &
    Provides<typeof autoscalerSecrets, string> &
    Record<'CLOCK_ORIGIN' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>;

  return {
    clock,
    configuration,
    cloudwatch,
    ecs,
    scaling,
    market,
    sns,
    service,
    floor: () => scaling.targets()[0]?.minCapacity ?? 0,
    running: () => ecs.tasks().filter(({ lastStatus }) => lastStatus === 'RUNNING').length,
    desired: () => ecs.scalable.desiredCount(resourceId) ?? 0,
    redisRecord: (key) => reader.get(key),
    async stateEpoch() {
      const Key = { [TABLES.autoscaler.partitionKey]: { S: AUTOSCALER_ITEMS.state } };
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
      return Number(Item?.['epoch']?.N ?? 0);
    },
    environment,
    async close() {
      reader.disconnect();
      for (const close of closing) await close();
      dynamodb.destroy();
    },
  };
}

function tableOf(name: string): CreateTableCommand {
  const key = TABLES.autoscaler.partitionKey;
  return new CreateTableCommand({
    TableName: name,
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
}
