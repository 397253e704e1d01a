import { z } from 'zod';

import { AwsError } from '../../wire/aws-error';
import { shapeViolation } from './converse-request';
import { embedText } from './embedding';
import type { Model } from './models';
import { countTokens } from './tokenizer';

/** An embedding call answered: the body to send and the input it has cost. */
export interface EmbedAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly inputTokens: number;
}

const titanRequest = z.object({
  inputText: z.string().min(1),
  dimensions: z.int().optional(),
  normalize: z.boolean().optional(),
  embeddingTypes: z
    .array(z.enum(['float', 'binary']))
    .min(1)
    .optional(),
});

const LONGEST_COHERE_TEXT = 2_048;

const cohereRequest = z.object({
  texts: z.array(z.string().min(1).max(LONGEST_COHERE_TEXT)).min(1).max(96),
  input_type: z.enum(['search_document', 'search_query', 'classification', 'clustering']),
  truncate: z.enum(['NONE', 'START', 'END', 'LEFT', 'RIGHT']).optional(),
  embedding_types: z.array(z.enum(['float', 'int8', 'uint8', 'binary', 'ubinary'])).optional(),
  output_dimension: z.int().optional(),
});

/** Answers the native request of an embedding model. */
export function answerEmbedding(model: Model, body: unknown): EmbedAnswer {
  switch (model.family) {
    case 'titan-embed':
      return answerTitan(model, parse(titanRequest, body));
    case 'cohere-embed':
      return answerCohere(model, parse(cohereRequest, body));
    case 'text':
      throw new AwsError(
        'ValidationException',
        'The Bedrock stand-in speaks InvokeModel to embedding models only; call Converse or ConverseStream for text.',
      );
  }
}

function answerTitan(model: Model, request: z.output<typeof titanRequest>): EmbedAnswer {
  const inputTokens = countInput(model, [request.inputText]);
  const embedding = embedText(request.inputText, lengthFor(model, request.dimensions));
  const types = request.embeddingTypes ?? ['float'];
  const embeddingsByType = Object.fromEntries(
    types.map((type) => [type, type === 'float' ? embedding : embedding.map(signBit)]),
  );
  const float = types.includes('float') ? { embedding } : {};
  return { inputTokens, body: { ...float, embeddingsByType, inputTextTokenCount: inputTokens } };
}

function answerCohere(model: Model, request: z.output<typeof cohereRequest>): EmbedAnswer {
  const inputTokens = countInput(model, request.texts);
  const length = lengthFor(model, request.output_dimension);
  const vectors = request.texts.map((text) => embedText(text, length));
  const types = request.embedding_types;
  const answer = types
    ? {
        response_type: 'embeddings_by_type',
        embeddings: Object.fromEntries(types.map((type) => [type, vectors.map(QUANTISERS[type])])),
      }
    : { response_type: 'embeddings_floats', embeddings: vectors };
  return { inputTokens, body: { id: 'stand-in', texts: request.texts, ...answer } };
}

type Quantiser = (vector: number[]) => number[];
type CohereType = NonNullable<z.output<typeof cohereRequest>['embedding_types']>[number];

const QUANTISERS: Readonly<Record<CohereType, Quantiser>> = {
  float: (vector) => vector,
  int8: (vector) => vector.map((value) => Math.round(value * 127)),
  uint8: (vector) => vector.map((value) => Math.round(value * 127) + 128),
  binary: (vector) => packBits(vector).map((byte) => byte - 128),
  ubinary: (vector) => packBits(vector),
};

function signBit(value: number): number {
  return value > 0 ? 1 : 0;
}

function packBits(vector: number[]): number[] {
  return Array.from({ length: vector.length >> 3 }, (_, byte) =>
    vector.slice(byte * 8, byte * 8 + 8).reduce((bits, value) => (bits << 1) | signBit(value), 0),
  );
}

function lengthFor(model: Model, asked: number | undefined): number {
  const [standard = 1_024] = model.dimensions;
  if (asked === undefined) return standard;
  if (model.dimensions.includes(asked)) return asked;
  throw new AwsError(
    'ValidationException',
    `Malformed input request: ${asked} is not a valid dimension, expected one of ${model.dimensions.join(', ')}.`,
  );
}

function countInput(model: Model, texts: readonly string[]): number {
  const counts = texts.map(countTokens);
  if (model.family === 'titan-embed' && Math.max(...counts) > model.contextTokens) {
    throw new AwsError(
      'ValidationException',
      `400 Bad Request: Too many input tokens. Max input tokens: ${model.contextTokens}, request input token count: ${Math.max(...counts)}`,
    );
  }
  return counts.reduce((sum, count) => sum + count, 0);
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw shapeViolation(parsed.error);
  return parsed.data;
}
