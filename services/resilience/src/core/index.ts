export {
  breakerRetryAfterMs,
  createBreaker,
  endIsolation,
  isolate,
  onResult,
  openWaitMs,
  tryAcquire,
  viewBreaker,
  type BreakerOutcome,
  type BreakerPhase,
  type BreakerSettings,
  type BreakerState,
  type BreakerTransition,
  type BreakerView,
  type TransitionReason,
} from './breaker';
export { restoreBreaker, snapshotBreaker, type BreakerSnapshot } from './breaker-snapshot';
export {
  cancel,
  catchUp,
  openLedger,
  reserve,
  settle,
  type Answer,
  type Ask,
  type Ledger,
  type LedgerStart,
} from './bucket';
export {
  exceedsBurst,
  PriceList,
  timeToFullMs,
  type Amounts,
  type Charge,
  type Limit,
  type Limits,
} from './bucket-limits';
export { type BulkheadSettings, type BulkheadView, type PressureChange } from './bulkhead';
export type { Cancel, Clock, Random } from './clock';
export {
  breakerSettings,
  bulkheadSettings,
  DEFAULT_BREAKER,
  DEFAULT_BULKHEAD,
  DEFAULT_RETRY,
  DEFAULT_RETRY_BUDGET,
  retryBudgetSettings,
  retrySettings,
} from './configured';
export {
  allowanceMs,
  childDeadline,
  deadlineIn,
  fitsDeadline,
  NO_DEADLINE,
  remainingMs,
  type DeadlineAtMs,
} from './deadline';
export { type DrainedStage, type DrainReport } from './drain-report';
export { Fifo, type Linked } from './fifo';
export { type RetryBudgetSettings } from './retry-budget';
export {
  decideRetry,
  fullJitterMs,
  type RetryDecision,
  type RetrySettings,
  type RetryVerdict,
} from './retry-decision';
