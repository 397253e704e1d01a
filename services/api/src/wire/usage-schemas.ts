import { z } from 'zod';
import { cursorSchema, identifierSchema, limitSchema, nextCursorSchema } from './identifiers';
import { dollarsSchema } from './money';

const MAX_ROWS_PER_PAGE = 1_000;

export const GROUPINGS = ['user', 'token', 'model', 'day'] as const;

const boundSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be a date or a moment in ISO 8601')
  .transform((text) => new Date(text));

/** What a usage report may be asked. */
export const usageQuerySchema = z.strictObject({
  group_by: z.enum(GROUPINGS).default('day').meta({ description: 'One row per what.' }),
  from: boundSchema.optional().meta({
    description:
      'First moment covered; a date means its midnight in UTC. Default: 30 days before `to`.',
  }),
  to: boundSchema.optional().meta({ description: 'First moment not covered. Default: now.' }),
  tenant: identifierSchema.optional().meta({ description: 'Absent: every tenant.' }),
  user: identifierSchema.optional(),
  token: z.uuid().optional(),
  model: identifierSchema.optional().meta({ description: 'The model that served.' }),
  limit: limitSchema(MAX_ROWS_PER_PAGE),
  cursor: cursorSchema.optional(),
});

const usageRowSchema = z
  .object({
    key: z.string().meta({ description: 'The user, token, model or UTC day of this row.' }),
    attempts: z.int().meta({ description: 'Calls to models, failed-over ones included.' }),
    coalesced: z.int().meta({ description: "Requests answered by another request's call." }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cache_read_tokens: z.int(),
    cache_write_tokens: z.int(),
    cost_usd: dollarsSchema,
    open_usd: dollarsSchema.meta({ description: 'Reserved for calls under way.' }),
  })
  .meta({ id: 'UsageRow' });

export const usagePageSchema = z
  .object({
    group_by: z.enum(GROUPINGS),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    data: z.array(usageRowSchema),
    next_cursor: nextCursorSchema,
  })
  .meta({ id: 'UsagePage' });

export type UsageQuery = z.output<typeof usageQuerySchema>;
export type UsageRowBody = z.output<typeof usageRowSchema>;
