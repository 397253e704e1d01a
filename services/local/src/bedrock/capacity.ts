import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import type { Target } from './core/model-target';
import { freshQuota, quotaLimitsSchema, reserve, settle } from './core/quota';
import type { QuotaLimits, QuotaRefusal, QuotaState } from './core/quota';

/** Limits for the models and regions they name; `*` is any. The first that fits applies. */
export const quotaRuleSchema = quotaLimitsSchema.extend({
  model: z.string().default('*'),
  region: z.string().default('*'),
});

export type QuotaRuleOptions = z.input<typeof quotaRuleSchema>;
export type QuotaRule = z.output<typeof quotaRuleSchema>;

/** Quota taken for a call that is running. */
export interface Reservation {
  readonly reserved: number;
  /** Gives back what the call did not cost. */
  settle(charged: number): void;
}

/** The quotas of every model in every region, and what is left of them. */
export interface Capacity {
  /** Takes quota for a call, or throws the ThrottlingException Bedrock throws. */
  reserve(target: Target, region: string, tokens: number): Reservation;
  /** Replaces all limits; what was used is forgotten. */
  limit(rules: readonly QuotaRule[]): void;
}

export function createCapacity(nowMs: () => number, initial: readonly QuotaRule[]): Capacity {
  let rules = initial;
  let states = new Map<string, QuotaState>();

  const limitsOf = ({ quotaKey, provisioned }: Target, region: string): QuotaLimits | undefined => {
    if (provisioned) {
      return { tokensPerMinute: provisioned.units * provisioned.tokensPerMinutePerUnit };
    }
    return rules.find(
      (rule) => ['*', quotaKey].includes(rule.model) && ['*', region].includes(rule.region),
    );
  };

  return {
    reserve(target, region, tokens) {
      const limits = limitsOf(target, region);
      if (!limits) return UNLIMITED;
      const key = `${target.quotaKey}|${region}`;
      const decision = reserve(
        states.get(key) ?? freshQuota(limits, nowMs()),
        limits,
        tokens,
        nowMs(),
      );
      states.set(key, decision.state);
      if (decision.refused) throw throttled(decision.refused);
      return {
        reserved: tokens,
        settle(charged) {
          const state = states.get(key);
          if (state) states.set(key, settle(state, limits, { reserved: tokens, charged }, nowMs()));
        },
      };
    },
    limit(replacement) {
      rules = replacement;
      states = new Map();
    },
  };
}

const UNLIMITED: Reservation = { reserved: 0, settle: () => undefined };

const REFUSALS: Readonly<Record<QuotaRefusal, string>> = {
  requests: 'Too many requests, please wait before trying again.',
  tokens: 'Too many tokens, please wait before trying again.',
  'tokens-per-day': 'Too many tokens per day, please wait before trying again.',
};

function throttled(refusal: QuotaRefusal): AwsError {
  return new AwsError('ThrottlingException', REFUSALS[refusal], 429);
}
