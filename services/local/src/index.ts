export { listenOnLoopback, type Listening, type Request, type Response } from './wire/listen';
export {
  startEngines,
  type EngineAddresses,
  type Engines,
  type EnginesOptions,
} from './engines/start-engines';
export { EngineStartError, EngineUnavailableError } from './engines/errors';
export { startDynamodb, type RunningDynamodb } from './engines/dynamodb/start-dynamodb';
export { freshDatabase, type FreshDatabase } from './engines/postgres/fresh-database';
export { postgres } from './engines/postgres/postgres';
export {
  startPostgres,
  type PostgresOptions,
  type RunningPostgres,
} from './engines/postgres/start-postgres';
export {
  requireRedis,
  startRedis,
  type RedisOutcome,
  type RunningRedis,
} from './engines/redis/start-redis';
export {
  INTENT_ENDPOINT,
  startSageMakerStandIn,
  type SageMakerStandIn,
  type SageMakerStandInOptions,
} from './sagemaker/sagemaker-stand-in';
export {
  startOpenSearchStandIn,
  type OpenSearchStandIn,
  type OpenSearchStandInOptions,
} from './opensearch/opensearch-stand-in';
export { seedCatalogue, type SeedCatalogueOptions } from './opensearch/seed-catalogue';
export type { Conduct, ConductSettings } from './wire/stand-in-conduct';
export {
  startBedrockStandIn,
  type BedrockStandIn,
  type BedrockStandInOptions,
} from './bedrock/stand-in';
export { type BedrockControl } from './bedrock/control';
export { type InvocationEvent } from './bedrock/invocation-event';
export { type CallOutcome, type LedgerEntry, type Overlap } from './bedrock/ledger';
export { type QuotaRuleOptions } from './bedrock/capacity';
export { cosineSimilarity, embedText } from './bedrock/core/embedding';
export { type ProvisionedOptions } from './bedrock/core/model-target';
export { DEFAULT_MODELS, type ModelOptions, type PacingChoice } from './bedrock/core/models';
export { type ScriptMixOptions, type ScriptRuleOptions } from './bedrock/core/script-choice';
export { BEDROCK_SCRIPTS, type ScriptName, type ScriptOptions } from './bedrock/core/scripts';
export { countTokens, splitTokens } from './bedrock/core/tokenizer';
export { type TokenUsage } from './bedrock/core/usage';
export type { Direction, Toxic } from './fault-proxy/core/toxic';
export {
  startFaultProxy,
  type FaultProxy,
  type FaultProxyOptions,
  type FaultProxyStats,
} from './fault-proxy/start-fault-proxy';
export { type Clock } from './clock/clock';
export { manualClock, type ManualClock } from './clock/manual-clock';
export {
  scaledClock,
  type ClockOrigin,
  type ScaledClock,
  type ScaledClockOptions,
} from './clock/scaled-clock';
export { type AwsCall, type AwsEndpoint } from './wire/aws-endpoint';
export { type AwsFault, type FaultScript } from './wire/aws-fault-script';
export {
  startCloudWatchStandIn,
  type CloudWatchOptions,
  type CloudWatchStandIn,
} from './cloudwatch/start-cloudwatch';
export { type AlarmAction } from './cloudwatch/core/alarm';
export { type MetricDatum } from './cloudwatch/core/metric';
export { driveLogs, type LogLine, type LogSink } from './log-driver/log-driver';
export {
  startElasticLoadBalancingStandIn,
  type ElasticLoadBalancingOptions,
  type ElasticLoadBalancingStandIn,
  type TargetGroupOptions,
} from './elastic-load-balancing/start-elastic-load-balancing';
export { type Balancer, type BalancerOptions } from './elastic-load-balancing/balancer';
export { type TargetGroup } from './elastic-load-balancing/target-groups';
export {
  startEcsStandIn,
  type EcsOptions,
  type EcsStandIn,
  type ServiceOptions,
} from './ecs/start-ecs';
export { type Task, type TaskStatus } from './ecs/core/task';
export { type TaskDefinitionOptions } from './ecs/core/task-definition';
export { type EcsScript } from './ecs/ecs-script';
export {
  startApplicationAutoScalingStandIn,
  type ApplicationAutoScalingOptions,
  type ApplicationAutoScalingStandIn,
} from './application-auto-scaling/start-application-auto-scaling';
export { type ScalingActivity } from './application-auto-scaling/scalable-target';
export {
  startProvisionedThroughputStandIn,
  type ProvisionedThroughputOptions,
  type ProvisionedThroughputStandIn,
} from './provisioned-throughput/start-provisioned-throughput';
export { type Throughput } from './provisioned-throughput/core/throughput';
export {
  startSnsStandIn,
  type SnsMessage,
  type SnsOptions,
  type SnsStandIn,
} from './sns/start-sns';
export { buildPrograms, builtProgram, NODE_FLAGS } from './platform/built-programs';
export { createTables } from './platform/create-tables';
export { openPlatform, type OpenPlatform } from './platform/open-platform';
