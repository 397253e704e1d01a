import { admission } from './admission';
import { autoscaler } from './autoscaler';
import { awsLimits } from './aws-limits';
import { breaker } from './breaker';
import { eventNames, eventTimes, overlappingEvents } from './calendar-entries';
import { postgresConnections, redisConnections } from './connections';
import type { TruthCheck } from './contradiction';
import { deployHeadroom } from './deploy-headroom';
import { deregistration } from './deregistration';
import { drain } from './drain';
import { eventLead } from './event-lead';
import { floors } from './floors';
import { heartbeat } from './heartbeat';
import { hostPacking } from './host-packing';
import { jobs } from './jobs';
import { metadataHops } from './metadata-hops';
import { modelLifecycle } from './model-lifecycle';
import { modelTargets } from './model-targets';
import { provisionedBudget, provisionedUnits, provisionedWindows } from './provisioned';
import { queueReceives, queueRetention, queueVisibility } from './queues';
import { quotaPeak } from './quota-peak';
import { redisEviction } from './redis-eviction';
import { scheduledFunctions, singleFlight } from './scheduled-functions';
import { cacheTimes, connectionCap, sessions } from './sessions';
import { spendCeiling } from './spend';
import { stepPolicies } from './step-policies';
import { tenantResidencies } from './tenants';
import { unreachableThresholds } from './thresholds';
import { timeZones } from './time-zones';
import { timeoutLadder } from './timeout-ladder';
import { workerLiveness } from './worker-liveness';

/** Everything that is checked before a stack is synthesized and before a program serves. */
export const TRUTH_CHECKS: readonly TruthCheck[] = [
  timeoutLadder,
  heartbeat,
  drain,
  deregistration,
  awsLimits,
  admission,
  breaker,
  sessions,
  connectionCap,
  cacheTimes,
  redisConnections,
  redisEviction,
  postgresConnections,
  timeZones,
  floors,
  unreachableThresholds,
  stepPolicies,
  autoscaler,
  eventTimes,
  eventNames,
  eventLead,
  overlappingEvents,
  provisionedUnits,
  provisionedBudget,
  provisionedWindows,
  modelTargets,
  modelLifecycle,
  tenantResidencies,
  quotaPeak,
  spendCeiling,
  hostPacking,
  deployHeadroom,
  metadataHops,
  queueVisibility,
  queueReceives,
  queueRetention,
  scheduledFunctions,
  singleFlight,
  workerLiveness,
  jobs,
];
