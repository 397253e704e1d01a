export {
  METRIC_PERIOD_SECONDS,
  type MetricDefinition,
  type MetricStatistic,
  type MetricUnit,
} from './metrics/metric';
export {
  ACROSS_TASKS,
  AWS_METRICS,
  METRICS,
  type AwsMetricKey,
  type MetricKey,
} from './metrics/metrics';
export { SCALING_ACTION_SERVICE } from './metrics/capacity-metrics';
export type { AlarmDefinition, AlarmThreshold, WatchedMetric } from './metrics/alarm';
export { ALARMS, ALARMS_BY_PLANE, alarmName, type AlarmKey } from './metrics/alarms';
export { CALL_LIMITS, COST_PARTS, LEADING_OUTCOMES } from './metrics/dimension-values';
export {
  CAPACITY_DASHBOARD,
  FLEET_DASHBOARD,
  ORCHESTRATOR_DASHBOARD,
  type DashboardPanel,
  type PanelLine,
} from './metrics/dashboards';
export {
  FUNCTIONS,
  ONE_OFF_TASKS,
  SERVICES,
  serviceName,
  type FunctionKey,
} from './names/programs';
export { CLOSE_CODES, HEADERS, PATHS, PORTS } from './names/http';
export { ORDER_RECHECK_SCHEDULE_GROUP, QUEUES } from './names/queues';
export { AUTOSCALER_ITEMS, TABLES, type TableDefinition, type TableIndex } from './names/tables';
export { fleetItemKeys, sessionItemKeys } from './names/table-keys';
export { CONSUMER_GROUPS, TOPICS } from './names/streaming';
export { ALERT_TOPICS, DEFAULT_METRIC_NAMESPACE } from './names/alerting';
export {
  FLOOR_EXPIRY_ACTION,
  SCALING_POLICIES,
  SCHEDULED_ACTIONS,
  eventActionNames,
  type ScalingPolicyName,
} from './names/scaling';
export { ENVIRONMENT_TAG, purchasePrefix } from './names/tags';
export { DEFAULT_INTENT, INTENTS, type Intent } from './names/intents';
export {
  SCALING_SIGNALS,
  WEEKDAYS,
  cronExpression,
  type ScheduledFloor,
  type Weekday,
} from './scaling/profile';
export { SCALING_PROFILES, type ScalingProfileName } from './scaling/profiles';
export { taskDollarsPerHour } from './scaling/task-price';
export { CALENDAR_2026 } from './calendar/calendar-2026';
export type { Calendar, CalendarEvent, WeeklyEvent } from './calendar/calendar-schema';
export {
  CHAT_ALIASES,
  MODEL_ALIASES,
  type ChatAlias,
  type InferenceProfile,
  type Model,
  type ModelAlias,
  type ModelCatalogue,
  type ModelTarget,
} from './models/model-schema';
export { MODEL_CATALOGUE } from './models/catalogue';
export { endOfLifeOf } from './models/retirements';
export {
  modelOfProfile,
  priceNanoDollars,
  profileOf,
  targetName,
  type TokenUsage,
} from './models/pricing';
export { firstContentLimitMs } from './configuration/timeouts';
export { DOWNSTREAMS, type Downstream } from './configuration/pools';
export { isResident, residenciesOf, type Residency } from './configuration/tenants';
export { ACCOUNT_DEFAULT_REQUESTS_PER_MINUTE, type Quota } from './configuration/gateway';
export { PROVISIONING_STATES, SCALING_STATES, type ScalingState } from './configuration/autoscaler';
export { tokensPerSecondOf, type ProvisionedWindow } from './configuration/provisioned';
export { MITIGATIONS, type Mitigation } from './configuration/mitigations';
export { DEV_MAXIMUM_CONCURRENCY } from './configuration/control-plane';
export type { PlatformConfiguration, PlatformOverrides } from './configuration/platform';
export {
  ConfigurationError,
  configure,
  decodeConfiguration,
  defaultConfiguration,
  encodeOverrides,
} from './configuration/configure';
export {
  instantOfLocal,
  minuteOfDay,
  minuteOfWeek,
  wallClock,
  type WallClock,
} from './calendar/wall-clock';
export { instantOf } from './calendar/instants';
export { occurrencesBetween, unusableEvents, type Occurrence } from './calendar/occurrences';
export {
  eventsInForceAt,
  plannedCapacityAt,
  provisionedWindowAt,
  scheduledFloorAt,
  type PlannedCapacity,
} from './calendar/floors';
export { demandAt, ordinaryDemandAt, type AliasDemand, type Demand } from './calendar/demand';
export { calendarPeaks, ordinaryPeaks, type Peak } from './calendar/peaks';
export { keySegment } from './redis/key';
export {
  answerKeys,
  jobKeys,
  leaseKeys,
  limitKeys,
  sessionKeys,
  type CacheScope,
  type SharedQuestion,
} from './redis/keys';
export type { SharedRecord } from './records/shared-record';
export { mitigationFlags } from './records/mitigation-flags';
export { bedrockCapacitySet } from './records/capacity-set';
export { preScaleSignal, prewarmRequest } from './records/prewarm-request';
export { workerMark } from './records/worker-mark';
export {
  fifoOf,
  maintenanceBatchSchema,
  orderTaskSchema,
  poolClaimSchema,
  workerCommandSchema,
  type MaintenanceBatch,
  type OrderTask,
  type PoolClaim,
  type WorkerCommand,
} from './messages/fleet-messages';
export {
  jobCommandSchema,
  jobPartitionKey,
  stageResultSchema,
  stageTaskSchema,
  type JobCommand,
  type StageResult,
  type StageTask,
} from './messages/job-messages';
export { idSchema } from './messages/ids';
export {
  compareFrames,
  formatFrameId,
  parseFrameId,
  type FramePosition,
} from './messages/frame-id';
export {
  BREAK_CODES,
  DEGRADATIONS,
  FALLBACK_RUNGS,
  FRAME_ERRORS,
  clientFrameSchema,
  isTerminal,
  MAX_MESSAGE_CHARACTERS,
  serverFrameSchema,
  type ClientFrame,
  type ServerFrame,
} from './messages/chat-frames';
export type { Provides } from './environment/provides';
export { EnvironmentError, loadEnvironment } from './environment/load-environment';
export type { Pepper } from './environment/variables';
export {
  apiEnvironment,
  apiSecrets,
  orchestratorEnvironment,
  orchestratorSecrets,
} from './environment/chat-programs';
export {
  autoscalerEnvironment,
  autoscalerSecrets,
  loadCatalogueEnvironment,
  loadCatalogueSecrets,
  migrateEnvironment,
  migrateSecrets,
} from './environment/capacity-programs';
export {
  maintenanceEnvironment,
  maintenanceWorkerEnvironment,
  orderTasksEnvironment,
  poolManagerEnvironment,
  workerAssignment,
  workerControlEnvironment,
  workerEnvironment,
  workerSecrets,
} from './environment/fleet-programs';
export { jobsEnvironment, jobsSecrets } from './environment/job-programs';
export type { Contradiction } from './truth/contradiction';
export {
  ContradictionError,
  assertTrue,
  contradictionsOf,
  describeContradiction,
} from './truth/truth';
