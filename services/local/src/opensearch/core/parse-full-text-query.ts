import { z } from 'zod';

import { fieldAndOptions } from './parse-term-query';
import type { FieldBoost, Query } from './query';
import { parsingError, readPart } from './search-error';

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const operator = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['or', 'and']))
  .default('or');
const minimum = z.union([z.int(), z.templateLiteral([z.number(), '%'])]).optional();
const boost = z.number().min(0).default(1);

const matchBody = z.strictObject({ query: text, operator, minimum_should_match: minimum, boost });

const multiMatchBody = z.strictObject({
  query: text,
  fields: z.array(z.string()).min(1),
  type: z.enum(['best_fields', 'most_fields']).default('best_fields'),
  tie_breaker: z.number().min(0).max(1).default(0),
  operator,
  minimum_should_match: minimum,
  boost,
});

/** `{"field": "words"}` or `{"field": {"query": "words", …}}`. */
export function parseMatch(body: unknown): Query {
  const [path, options] = fieldAndOptions(body, 'match');
  const isShort = typeof options !== 'object';
  const parsed = readPart(matchBody, isShort ? { query: options } : options, 'match');
  return { kind: 'match', path, boost: parsed.boost, ...matchOptions(parsed) };
}

/** The same words in several fields: the best of them counts, or their sum. */
export function parseMultiMatch(body: unknown): Query {
  const parsed = readPart(multiMatchBody, body, 'multi_match');
  return {
    kind: 'multi_match',
    fields: parsed.fields.map(fieldBoost),
    combine: parsed.type,
    tieBreaker: parsed.tie_breaker,
    boost: parsed.boost,
    ...matchOptions(parsed),
  };
}

function matchOptions(parsed: z.output<typeof matchBody>) {
  const { query, operator, minimum_should_match } = parsed;
  return {
    text: query,
    operator,
    ...(minimum_should_match === undefined ? {} : { minimumShouldMatch: minimum_should_match }),
  };
}

function fieldBoost(field: string): FieldBoost {
  const [path = '', factor = '1', ...rest] = field.split('^');
  const by = Number(factor);
  if (rest.length > 0 || path === '' || !(by >= 0)) {
    throw parsingError(`[multi_match] cannot read the field [${field}]`);
  }
  return { path, boost: by };
}
