import { z } from 'zod';
import type { DeepReadonly } from '../configuration/deep';
import { amountSchema, countSchema, positiveInteger } from '../configuration/quantities';

/** What callers ask for; which model answers is configuration. */
export const MODEL_ALIASES = ['simple', 'complex', 'embed'] as const;

export type ModelAlias = (typeof MODEL_ALIASES)[number];

/** The aliases that generate text and have capacity of their own. */
export const CHAT_ALIASES = ['complex', 'simple'] as const satisfies readonly ModelAlias[];

export type ChatAlias = (typeof CHAT_ALIASES)[number];

const dateSchema = z.iso.date();

const lifecycleSchema = z.strictObject({
  /** From here no new provisioned throughput can be bought. */
  legacyOn: dateSchema.optional(),
  /** From here calls fail. Absent: none is announced. */
  endOfLifeOn: dateSchema.optional(),
});

/** A foundation model, whichever profile or region serves it. */
const modelSchema = z.strictObject({
  /** Bedrock's own id, without the prefix of a profile. */
  bedrockId: z.string().min(1),
  kind: z.enum(['chat', 'embedding']),
  contextTokens: positiveInteger,
  maxOutputTokens: countSchema,
  /** `budget`: a token budget is given; `adaptive`: the model decides, an effort is given. */
  thinking: z.enum(['none', 'budget', 'adaptive']),
  /** The shortest prefix worth a cache point; 0 where prompts cannot be cached. */
  minCacheTokens: countSchema,
  /** Tokens of quota one output token burns at settlement. */
  outputBurndown: amountSchema,
  /** Length of the vector, of an embedding model. */
  dimensions: positiveInteger.optional(),
  lifecycle: lifecycleSchema,
});

const priceSchema = z.strictObject({
  input: amountSchema,
  output: amountSchema,
  cacheRead: amountSchema,
  /** Kept for five minutes. */
  cacheWrite: amountSchema,
  /** Kept for an hour. */
  cacheWriteOneHour: amountSchema,
});

/** Where a request may be processed. */
export const residencySchema = z.enum(['jp', 'global']);

/** An inference profile (or plain model id): what is put into `modelId`. */
const inferenceProfileSchema = z.strictObject({
  model: z.string().min(1),
  /** Where the request may be processed. */
  residency: residencySchema,
  /** Regions the profile may be called from. */
  callableFrom: z.array(z.string().min(1)).min(1),
  dollarsPerMillionTokens: priceSchema,
});

/** One place to send a request: a profile, called in a region; each has quotas of its own. */
const modelTargetSchema = z.strictObject({
  profile: z.string().min(1),
  region: z.string().min(1),
});

export const modelCatalogueSchema = z.strictObject({
  models: z.record(z.string(), modelSchema),
  profiles: z.record(z.string(), inferenceProfileSchema),
  /** In order of preference: the same model elsewhere first, then another model. */
  aliases: z.strictObject({
    simple: z.array(modelTargetSchema).min(1),
    complex: z.array(modelTargetSchema).min(1),
    embed: z.array(modelTargetSchema).min(1),
  }),
});

export type Model = DeepReadonly<z.output<typeof modelSchema>>;
export type InferenceProfile = DeepReadonly<z.output<typeof inferenceProfileSchema>>;
export type ModelTarget = DeepReadonly<z.output<typeof modelTargetSchema>>;
export type ModelCatalogue = DeepReadonly<z.output<typeof modelCatalogueSchema>>;
