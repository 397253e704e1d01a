import type { ApiTokenRepository, UsageReports } from '@matsuri/database';

/** API tokens. Every id is looked up within its tenant; what belongs to another is not there. */
export type TokenStore = Pick<
  ApiTokenRepository,
  'create' | 'createOnce' | 'list' | 'get' | 'spend' | 'revoke' | 'rotate'
>;

/** Sums over the ledger, from the reader where there is one. */
export type UsageSource = UsageReports;
