import { z } from 'zod';

import type { Query } from './query';
import { jsonObject, parsingError, readPart } from './search-error';

const boost = z.number().min(0).default(1);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** `{"field": value}` or `{"field": {"value": value}}`. */
export function parseTerm(body: unknown): Query {
  const [path, options] = fieldAndOptions(body, 'term');
  const long = z.strictObject({ value: scalar, boost });
  const { value, boost: by } = readPart(
    z.union([scalar.transform((value) => ({ value, boost: 1 })), long]),
    options,
    'term',
  );
  return { kind: 'term', path, value, boost: by };
}

/** `{"field": [values]}`, with a boost beside the field. */
export function parseTerms(body: unknown): Query {
  const { boost: by, ...fields } = readPart(jsonObject, body, 'terms');
  const [path, options] = fieldAndOptions(fields, 'terms');
  const values = readPart(z.array(scalar), options, 'terms');
  return { kind: 'terms', path, values, boost: readPart(boost, by, 'terms') };
}

export function parseRange(body: unknown): Query {
  const [path, options] = fieldAndOptions(body, 'range');
  const schema = z.strictObject({
    gt: scalar.optional(),
    gte: scalar.optional(),
    lt: scalar.optional(),
    lte: scalar.optional(),
    boost,
  });
  const { boost: by, ...bounds } = readPart(schema, options, 'range');
  return { kind: 'range', path, bounds, boost: by };
}

export function parseExists(body: unknown): Query {
  const { field, boost: by } = readPart(
    z.strictObject({ field: z.string(), boost }),
    body,
    'exists',
  );
  return { kind: 'exists', path: field, boost: by };
}

/** The one field a query is about, and what it says of it. */
export function fieldAndOptions(body: unknown, query: string): readonly [string, unknown] {
  const entries = Object.entries(readPart(jsonObject, body, query));
  const [first, second] = entries;
  if (first === undefined) throw parsingError(`No field name in [${query}] query`);
  if (second !== undefined) {
    throw parsingError(
      `[${query}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`,
    );
  }
  return first;
}
