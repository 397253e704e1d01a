import { HEADERS } from '@matsuri/contract';
import { z } from 'zod';
import { TOKEN_STATUSES } from '../core/token-status';
import {
  cursorSchema,
  identifierSchema,
  limitSchema,
  nextCursorSchema,
  tenantSchema,
} from './identifiers';
import { capSchema, dollarsSchema } from './money';

const MAX_NAME_LENGTH = 100;
const MAX_MODELS = 50;
const MAX_RATE = 2 ** 31 - 1;
const MAX_OVERLAP_SECONDS = 30 * 86_400;
const MAX_TOKENS_PER_PAGE = 200;

// Control characters, halves of characters, and what a decoder writes in place of bytes that are no text.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\ufffd]/u;

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .refine((name) => !UNPRINTABLE.test(name), 'must be printable text')
  .meta({ description: 'For people: what the token is for.', examples: ['storefront chat'] });

const rateSchema = z.int().min(1).max(MAX_RATE).nullable();

/** What `POST /v1/tokens` takes; null and absent both mean "no limit of that kind". */
export const newTokenSchema = z
  .strictObject({
    user_id: identifierSchema.meta({ description: 'Whose usage the token counts as.' }),
    name: nameSchema,
    allowed_models: z
      .array(identifierSchema)
      .min(1)
      .max(MAX_MODELS)
      .nullable()
      .default(null)
      .meta({ description: 'Aliases, models or inference profiles; null for all.' }),
    requests_per_minute: rateSchema.default(null),
    tokens_per_minute: rateSchema.default(null),
    day_cap_usd: capSchema.nullable().default(null),
    month_cap_usd: capSchema.nullable().default(null),
    expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  })
  .meta({ id: 'NewToken' });

const momentSchema = z.iso.datetime();

/** A token as anyone may see it. */
export const tokenSchema = z
  .object({
    id: z.uuid(),
    tenant_id: z.string(),
    user_id: z.string(),
    name: z.string(),
    hint: z
      .string()
      .meta({ description: 'Beginning and end of the token.', examples: ['mts_…k3Qx'] }),
    status: z.enum(TOKEN_STATUSES).meta({
      description: '`rotating`: has a successor and works until `overlap_until`.',
    }),
    allowed_models: z.array(z.string()).nullable(),
    requests_per_minute: z.int().nullable(),
    tokens_per_minute: z.int().nullable(),
    day_cap_usd: dollarsSchema.nullable(),
    month_cap_usd: dollarsSchema.nullable(),
    created_at: momentSchema,
    expires_at: momentSchema.nullable(),
    revoked_at: momentSchema.nullable(),
    overlap_until: momentSchema.nullable(),
    predecessor_id: z.uuid().nullable(),
  })
  .meta({ id: 'Token' });

/** A token just made: the only answer that carries its text. */
export const issuedTokenSchema = tokenSchema
  .extend({ token: z.string().meta({ description: 'Shown this once; it is stored nowhere.' }) })
  .meta({ id: 'IssuedToken' });

export const tokenPageSchema = z
  .object({ data: z.array(tokenSchema), next_cursor: nextCursorSchema })
  .meta({ id: 'TokenPage' });

export const rotationSchema = z
  .strictObject({
    overlap_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).optional().meta({
      description: 'How long the old token goes on working beside the new one.',
    }),
  })
  .meta({ id: 'Rotation' });

const periodSpendSchema = z.object({
  spent_usd: dollarsSchema,
  reserved_usd: dollarsSchema.meta({ description: 'Held for calls under way.' }),
  cap_usd: dollarsSchema.nullable(),
  remaining_usd: dollarsSchema.nullable().meta({ description: 'null where there is no cap.' }),
  resets_at: momentSchema,
});

/** Money of a token and those it was rotated from, which share their counters. */
export const spendSchema = z
  .object({ token_id: z.uuid(), day: periodSpendSchema, month: periodSpendSchema })
  .meta({ id: 'Spend' });

/** Every lookup of one token. */
export const tokenParamsSchema = z.strictObject({ id: z.uuid() });
/** So that a request whose answer was lost can be sent again. */
export const creationHeadersSchema = z.object({
  [HEADERS.idempotencyKey]: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1–255 printable ASCII characters without spaces')
    .optional()
    .meta({
      description:
        'Chosen by you, one per token you want, e.g. a UUID. Sent again with the same body it makes no second token; with another body it is refused.',
      examples: ['0b6c0e0e-6f5b-4f43-9e0c-1c8f6a7e2d11'],
    }),
});
export const tokenQuerySchema = z.strictObject({ tenant: tenantSchema });

export const tokenListQuerySchema = z.strictObject({
  tenant: tenantSchema,
  user: identifierSchema.optional(),
  limit: limitSchema(MAX_TOKENS_PER_PAGE),
  cursor: cursorSchema.optional(),
});

export type NewTokenBody = z.output<typeof newTokenSchema>;
export type TokenBody = z.output<typeof tokenSchema>;
export type SpendBody = z.output<typeof spendSchema>;
