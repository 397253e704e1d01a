import { TOKEN_PREFIX, type ApiToken, type PeriodSpend, type TokenSpend } from '@matsuri/database';
import { dollarsOf } from '../core/dollars';
import { spendResets } from '../core/spend-resets';
import { tokenStatus } from '../core/token-status';
import type { SpendBody, TokenBody } from '../wire/token-schemas';

/** A token as the wire shows it. */
export function tokenView(token: ApiToken, nowMs: number): TokenBody {
  return {
    id: token.id,
    tenant_id: token.tenantId,
    user_id: token.userId,
    name: token.name,
    hint: `${TOKEN_PREFIX}…${token.lastFour}`,
    status: tokenStatus(token, nowMs),
    allowed_models: token.allowedModels,
    requests_per_minute: token.rpm,
    tokens_per_minute: token.tpm,
    day_cap_usd: amount(token.dayCapMicroUsd),
    month_cap_usd: amount(token.monthCapMicroUsd),
    created_at: token.createdAt.toISOString(),
    expires_at: moment(token.expiresAt),
    revoked_at: moment(token.revokedAt),
    overlap_until: moment(token.overlapUntil),
    predecessor_id: token.predecessorId,
  };
}

/** What a token's line has spent, against what it may. */
export function spendView(token: ApiToken, spend: TokenSpend, nowMs: number): SpendBody {
  const resets = spendResets(nowMs);
  return {
    token_id: token.id,
    day: periodView(spend.day, token.dayCapMicroUsd, resets.day),
    month: periodView(spend.month, token.monthCapMicroUsd, resets.month),
  };
}

function periodView(spend: PeriodSpend, capMicroUsd: number | null, resetsAt: Date) {
  const used = spend.spentMicroUsd + spend.reservedMicroUsd;
  return {
    spent_usd: dollarsOf(spend.spentMicroUsd),
    reserved_usd: dollarsOf(spend.reservedMicroUsd),
    cap_usd: amount(capMicroUsd),
    remaining_usd: amount(capMicroUsd === null ? null : Math.max(0, capMicroUsd - used)),
    resets_at: resetsAt.toISOString(),
  };
}

function amount(microUsd: number | null): string | null {
  return microUsd === null ? null : dollarsOf(microUsd);
}

function moment(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
