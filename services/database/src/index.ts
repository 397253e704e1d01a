export {
  DatabaseUnavailableError,
  LedgerInputError,
  ReportRangeError,
  type UnavailableReason,
} from './errors';
export type { ConnectionOptions } from './pool/connection-config';
export {
  createPool,
  type DatabasePool,
  type PoolFigures,
  type PoolOptions,
} from './pool/database-pool';
export { databaseUrl } from './pool/database-url';
export { inLockedSession } from './pool/locked-session';
export { migrate, type MigrationResult } from './migrate/migrate';
export { createLedger, type Ledger, type LedgerFigures, type LedgerOptions } from './ledger/ledger';
export type {
  AttemptOutcome,
  CoalescedRequest,
  Reservation,
  ReserveOutcome,
  Settlement,
  SettleOutcome,
} from './ledger/attempt';
export type { SweepResult } from './ledger/orphan-sweep';
export {
  createCompletionTasks,
  type CompletionTasks,
  type CompletionTasksOptions,
} from './completions/completion-tasks';
export type {
  CompletionTask,
  FinishOutcome,
  NewCompletionTask,
  TaskEnding,
  TaskOwner,
  TaskSweepResult,
} from './completions/completion-task';
export type { SpendPeriod } from './core/spend-period';
export { isFresh } from './core/token-freshness';
export { tokenState } from './core/token-state';
export { isWellFormedToken, TOKEN_PREFIX } from './core/api-token';
export { openPepperRing } from './tokens/open-pepper-ring';
export { createPepperRing, type Pepper, type PepperRing } from './core/pepper-ring';
export {
  createApiTokenRepository,
  type ApiTokenRepository,
  type RotateOutcome,
  type TokenListQuery,
} from './tokens/api-token-repository';
export type { ApiToken, IssuedToken, NewApiToken } from './tokens/api-token-record';
export type { CreateOnceOutcome } from './tokens/create-once';
export type { PeriodSpend, TokenSpend } from './tokens/token-spend';
export { listenForTokenChanges, type TokenChanges } from './tokens/token-changes';
export {
  createTokenDirectory,
  type Authentication,
  type DirectoryClock,
  type TokenDirectory,
  type TokenDirectoryOptions,
} from './tokens/token-directory';
export {
  createUsageReports,
  type UsageFilter,
  type UsageGrouping,
  type UsagePage,
  type UsageReports,
  type UsageSummary,
  type UsageSummaryQuery,
} from './reports/usage-reports';
export { MAX_REPORT_DAYS, type ReportRange } from './core/report-range';
