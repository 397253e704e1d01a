import { z } from 'zod';
import { GROUPINGS } from '../wire/usage-schemas';
import { durationSeconds } from './core/duration';

const countText = z.coerce.number().int().positive();

export const createOptions = z.object({
  tenant: z.string(),
  user: z.string(),
  name: z.string(),
  models: z.string().optional(),
  rpm: countText.optional(),
  tpm: countText.optional(),
  dayCap: z.string().optional(),
  monthCap: z.string().optional(),
  expires: z.string().optional(),
  idempotencyKey: z.string().optional(),
});

export const tenantOptions = z.object({ tenant: z.string() });

export const listOptions = tenantOptions.extend({ user: z.string().optional(), limit: countText });

export const rotateOptions = tenantOptions.extend({
  overlap: z
    .string()
    .transform((text, context) => {
      const seconds = durationSeconds(text);
      if (seconds !== undefined) return seconds;
      context.addIssue({ code: 'custom', message: 'must be a duration such as 30m, 24h or 7d' });
      return z.NEVER;
    })
    .optional(),
});

export const usageOptions = z.object({
  by: z.enum(GROUPINGS),
  days: countText.optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  tenant: z.string().optional(),
  user: z.string().optional(),
  token: z.string().optional(),
  model: z.string().optional(),
  limit: countText,
});

/** The body of a create request. */
export function newTokenBody(options: z.output<typeof createOptions>, expiresAt: Date | undefined) {
  return {
    user_id: options.user,
    name: options.name,
    allowed_models: options.models?.split(',').map((name) => name.trim()) ?? null,
    requests_per_minute: options.rpm ?? null,
    tokens_per_minute: options.tpm ?? null,
    day_cap_usd: options.dayCap ?? null,
    month_cap_usd: options.monthCap ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/** The query of a usage request. */
export function usageQuery(options: z.output<typeof usageOptions>, nowMs: number) {
  const { by, days, limit: _, from, ...filters } = options;
  const since = days === undefined ? undefined : new Date(nowMs - days * 86_400_000).toISOString();
  return { group_by: by, from: from ?? since, ...filters };
}
