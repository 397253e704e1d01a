export { apiTokens } from './api-tokens';
export { completionTasks, completionTaskStatus } from './completion-tasks';
export { ledgerOwners } from './ledger-owners';
export { spendCounters } from './spend-counters';
export { tokenCreations } from './token-creations';
export { attemptStatus, usageAttempts } from './usage-attempts';
