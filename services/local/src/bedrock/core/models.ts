import { z } from 'zod';

/** When an answer's tokens arrive. */
const pacingSchema = z.object({
  /** Time to the first token of an empty prompt. */
  firstTokenMs: z.number().min(0),
  /** What every thousand input tokens that were not read from the cache add to it. */
  firstTokenMsPer1000Input: z.number().min(0).default(0),
  tokensPerSecond: z.number().positive(),
  /** Share by which both vary from call to call, seeded by the prompt. */
  jitter: z.number().min(0).max(0.9).default(0),
});

export type Pacing = z.output<typeof pacingSchema>;

/** A model as callers of the stand-in know it: an inference profile or a model called by its bare id. */
export const modelSchema = z.object({
  /** What a caller puts into `modelId`, such as `jp.anthropic.claude-sonnet-5`. */
  id: z.string().min(1),
  family: z.enum(['text', 'titan-embed', 'cohere-embed']),
  /** Quota tokens that one output token costs at settlement. */
  burndown: z.number().positive().default(1),
  contextTokens: z.int().positive(),
  /** The most output tokens of one answer; 0 for an embedding model. */
  maxOutputTokens: z.int().min(0),
  /** Kinds of `thinking` the model takes in `additionalModelRequestFields`. */
  thinking: z.array(z.enum(['enabled', 'adaptive'])).default([]),
  /** Shortest prefix that a cache point stores; absent means no prompt caching. */
  cacheMinTokens: z.int().positive().optional(),
  /** Whether a conversation may end with words put into the assistant's mouth. */
  prefill: z.boolean().default(true),
  /** Whether `temperature` and `topP` may come together. */
  temperatureWithTopP: z.boolean().default(true),
  /** Lengths an embedding may have, the default first. */
  dimensions: z.array(z.int().positive()).default([]),
  pacing: pacingSchema.optional(),
});

export type ModelOptions = z.input<typeof modelSchema>;
export type Model = z.output<typeof modelSchema>;

/** Pacing of a small and of a large text model, for models that bring none of their own. */
const SMALL_MODEL_PACING: Pacing = {
  firstTokenMs: 200,
  firstTokenMsPer1000Input: 15,
  tokensPerSecond: 150,
  jitter: 0.15,
};
const LARGE_MODEL_PACING: Pacing = {
  firstTokenMs: 800,
  firstTokenMsPer1000Input: 40,
  tokensPerSecond: 70,
  jitter: 0.15,
};
const EMBEDDING_PACING: Pacing = {
  firstTokenMs: 25,
  firstTokenMsPer1000Input: 10,
  tokensPerSecond: 1_000,
  jitter: 0.15,
};

/** Every token at once: the upstream of a benchmark. */
const INSTANT_PACING: Pacing = {
  firstTokenMs: 0,
  firstTokenMsPer1000Input: 0,
  tokensPerSecond: Infinity,
  jitter: 0,
};

/** The pacing of every model: each its own, none at all, or one for all. */
export const pacingChoiceSchema = z.union([z.enum(['realistic', 'instant']), pacingSchema]);

export type PacingChoice = z.input<typeof pacingChoiceSchema>;

/** How a model paces its answers under a choice. */
export function pacingOf(model: Model, choice: z.output<typeof pacingChoiceSchema>): Pacing {
  if (choice === 'instant') return INSTANT_PACING;
  return choice === 'realistic' ? (model.pacing ?? realisticPacing(model)) : choice;
}

function realisticPacing(model: Model): Pacing {
  if (model.family !== 'text') return EMBEDDING_PACING;
  return /haiku|lite|micro|mini|small/.test(model.id) ? SMALL_MODEL_PACING : LARGE_MODEL_PACING;
}

const SONNET = {
  family: 'text',
  burndown: 10,
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  thinking: ['adaptive'],
  cacheMinTokens: 1_024,
  prefill: false,
} as const;

const HAIKU = {
  family: 'text',
  burndown: 5,
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  thinking: ['enabled'],
  cacheMinTokens: 4_096,
  temperatureWithTopP: false,
} as const;

/** What the stand-in serves when it is not told. */
export const DEFAULT_MODELS: readonly ModelOptions[] = [
  { id: 'jp.anthropic.claude-sonnet-5', ...SONNET, thinking: ['adaptive'] },
  { id: 'global.anthropic.claude-sonnet-5', ...SONNET, thinking: ['adaptive'] },
  { id: 'jp.anthropic.claude-haiku-4-5-20251001-v1:0', ...HAIKU, thinking: ['enabled'] },
  { id: 'global.anthropic.claude-haiku-4-5-20251001-v1:0', ...HAIKU, thinking: ['enabled'] },
  {
    id: 'amazon.titan-embed-text-v2:0',
    family: 'titan-embed',
    contextTokens: 8_192,
    maxOutputTokens: 0,
    dimensions: [1_024, 512, 256],
  },
  {
    id: 'cohere.embed-multilingual-v3',
    family: 'cohere-embed',
    contextTokens: 512,
    maxOutputTokens: 0,
    dimensions: [1_024],
  },
];
