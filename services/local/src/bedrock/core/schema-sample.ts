import { z } from 'zod';

import { cosineSimilarity, embedText } from './embedding';
import type { SeededRandom } from './seeded-random';

/** The part of JSON Schema that says what a value looks like; the rest is not needed to make one. */
const schemaShape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
  items: z.json().optional(),
  anyOf: z.array(z.json()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
});

type Json = z.infer<ReturnType<typeof z.json>>;
type Schema = z.output<typeof schemaShape>;

export interface SampleContext {
  readonly random: SeededRandom;
  /** What the words of the value are taken from. */
  readonly question: string;
}

const DEEPEST = 8;
const LONGEST_WORDS = 60;
const EMBEDDING_LENGTH = 256;

/** A value that fits a JSON Schema and has to do with the question. */
export function sampleOfSchema(schema: unknown, context: SampleContext, depth = 0): Json {
  const parsed = schemaShape.safeParse(schema);
  if (!parsed.success || depth > DEEPEST) return null;
  const { data } = parsed;
  if (data.const !== undefined) return data.const;
  if (data.enum) return closestMember(data.enum, context);
  if (data.anyOf) return sampleOfSchema(data.anyOf[0], context, depth + 1);
  return sampleOfType(data, context, depth);
}

function sampleOfType(schema: Schema, context: SampleContext, depth: number): Json {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return wordsFor(schema, context.question);
    case 'integer':
      return sampleNumber(schema, context.random);
    case 'number':
      return sampleNumber(schema, context.random) + 0.5;
    case 'boolean':
      return context.random.next() < 0.5;
    case 'array':
      return [sampleOfSchema(schema.items ?? { type: 'string' }, context, depth + 1)];
    case 'null':
      return null;
    case 'object':
    case undefined:
    default:
      return sampleObject(schema, context, depth);
  }
}

function sampleObject(schema: Schema, context: SampleContext, depth: number): Json {
  const wanted = schema.required ?? Object.keys(schema.properties ?? {});
  return Object.fromEntries(
    wanted.map((key) => [key, sampleOfSchema(schema.properties?.[key] ?? {}, context, depth + 1)]),
  );
}

function sampleNumber({ minimum, maximum }: Schema, random: SeededRandom): number {
  const low = Math.ceil(minimum ?? 1);
  return random.between(low, Math.max(low, Math.floor(maximum ?? low + 9) - 1));
}

const QUOTED = /[「『"]([^」』"\n]{1,60})[」』"]/;

function wordsFor({ format }: Schema, question: string): string {
  if (format === 'date') return '2026-07-04';
  if (format === 'date-time') return '2026-07-04T00:00:00Z';
  return QUOTED.exec(question)?.[1] ?? question.trim().slice(0, LONGEST_WORDS);
}

/** The member most alike to the question: a label set becomes a plausible classification. */
function closestMember(members: readonly Json[], { question }: SampleContext): Json {
  const asked = embedText(question, EMBEDDING_LENGTH);
  const likeness = (member: Json): number =>
    cosineSimilarity(asked, embedText(JSON.stringify(member), EMBEDDING_LENGTH));
  return members.toSorted((a, b) => likeness(b) - likeness(a))[0] ?? null;
}
