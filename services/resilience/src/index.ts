export { abortError, endedBy } from './abort';
export { acquireLease, type HeldLease, type LeaseResult } from './adapters/redis-lease';
export { LIMIT_REDIS_OPTIONS, limitRedisOptions } from './adapters/limit-redis-options';
export { RedisBucket, type RedisBucketOptions } from './adapters/redis-bucket';
export { RedisScript } from './adapters/redis-script';
export {
  Breaker,
  failureUnlessAborted,
  type BreakerOptions,
  type BreakerPermit,
  type ClassifyError,
} from './breaker';
export { DEFAULT_BOOKINGS, type Bucket, type BucketAnswer, type BucketPolicy } from './bucket-port';
export { Bulkhead, type BulkheadOptions, type Slot } from './bulkhead';
export {
  allowanceMs,
  breakerSettings,
  bulkheadSettings,
  childDeadline,
  deadlineIn,
  fitsDeadline,
  NO_DEADLINE,
  remainingMs,
  retryBudgetSettings,
  retrySettings,
  timeToFullMs,
} from './core';
export type {
  Amounts,
  BreakerPhase,
  BreakerSettings,
  BreakerSnapshot,
  BreakerTransition,
  BreakerView,
  BulkheadSettings,
  BulkheadView,
  Cancel,
  Clock,
  DeadlineAtMs,
  DrainedStage,
  DrainReport,
  Limit,
  Limits,
  PressureChange,
  Random,
  RetryBudgetSettings,
  RetrySettings,
  RetryVerdict,
  TransitionReason,
} from './core';
export { Drain, drainOnSignal, type DrainOptions, type DrainStage } from './drain';
export {
  BreakerOpenError,
  CallerAbortedError,
  DeadlineExceededError,
  PoolExhaustedError,
} from './errors';
export { FailoverBucket, type FailoverBucketOptions } from './failover-bucket';
export { Finisher, type FinisherOptions } from './finisher';
export { InFlight } from './in-flight';
export { LocalBucket, type LocalBucketOptions } from './local-bucket';
export {
  RateLimiter,
  type RateLimiterOptions,
  type Reservation,
  type ReserveResult,
} from './rate-limiter';
export { RequestScope, UNBOUNDED, type RequestScopeOptions, type Scope } from './request-scope';
export { retry, RetryBudget, type RetryOptions, type StopReason } from './retry';
export { sleep } from './sleep';
export { SlotLeaseTable } from './slot-lease-table';
export { systemClock } from './system-clock';
export { withDeadline } from './with-deadline';
