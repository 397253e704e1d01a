import type { PlatformConfiguration } from '@matsuri/contract';
import type { Ledger } from '@matsuri/database';
import type { Clock, Random, Scope } from '@matsuri/resilience';
import type { AttemptWorld } from './attempt';
import type { CallAmounts } from './core/token-amounts';
import type { GatewayCall } from './gateway';
import type { Limiter } from './limits';
import type { RetryAllowance } from './retry-allowance';
import type { Slots } from './slots';
import type { TokenReadings } from './token-readings';

/** What every call works with. */
export interface CallWorld extends AttemptWorld {
  readonly configuration: PlatformConfiguration;
  readonly ledger: Pick<Ledger, 'reserve' | 'settle'>;
  readonly slots: Slots;
  readonly tokenLimiter: Limiter;
  readonly tokenReadings: TokenReadings;
  readonly retryBudget: RetryAllowance;
  readonly clock: Clock;
  readonly random: Random;
  readonly newAttemptId: () => string;
}

/** What is known of one call when it comes in. */
export interface CallFacts extends GatewayCall {
  readonly inputTokens: number;
  readonly amounts: CallAmounts;
  /** Until when its first content must be there, and whether anybody still waits for it. */
  readonly scope: Scope;
}
