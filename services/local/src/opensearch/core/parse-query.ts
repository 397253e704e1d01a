import { z } from 'zod';

import { parseMatch, parseMultiMatch } from './parse-full-text-query';
import { parseExists, parseRange, parseTerm, parseTerms } from './parse-term-query';
import type { HybridQuery, Query } from './query';
import { illegalArgument, jsonObject, parsingError, readPart } from './search-error';

const boost = z.number().min(0).default(1);
const minimum = z.union([z.int(), z.templateLiteral([z.number(), '%'])]).optional();
const clauses = z.union([z.array(z.unknown()), jsonObject.transform((one) => [one])]).default([]);

const boolBody = z.strictObject({
  must: clauses,
  should: clauses,
  filter: clauses,
  must_not: clauses,
  minimum_should_match: minimum,
  boost,
});

const knnBody = z.strictObject({
  vector: z.array(z.number()).min(1),
  k: z.int().min(1).max(10_000),
  filter: z.unknown().optional(),
  boost,
});

const hybridBody = z.strictObject({
  queries: z.array(z.unknown()).min(1),
  filter: z.unknown().optional(),
  pagination_depth: z.int().min(1).max(10_000).optional(),
});

const MOST_HYBRID_QUERIES = 5;

const PARSERS: Readonly<Record<string, (body: unknown) => Query>> = {
  match_all: (body) => ({
    kind: 'match_all',
    ...readPart(z.strictObject({ boost }), body, 'match_all'),
  }),
  match_none: () => ({ kind: 'match_none', boost: 1 }),
  term: parseTerm,
  terms: parseTerms,
  range: parseRange,
  exists: parseExists,
  match: parseMatch,
  multi_match: parseMultiMatch,
  bool: parseBool,
  knn: parseKnn,
};

/** Reads the query of a request: any query, or a hybrid of several. */
export function parseTopLevelQuery(body: unknown): Query | HybridQuery {
  const [name, inner] = onlyEntry(body);
  return name === 'hybrid' ? parseHybrid(inner) : parseQuery(body);
}

/** Reads a query that may stand anywhere. */
export function parseQuery(body: unknown): Query {
  const [name, inner] = onlyEntry(body);
  if (name === 'hybrid') {
    throw illegalArgument(
      'hybrid query must be a top level query and cannot be wrapped into other queries',
    );
  }
  const parser = Object.entries(PARSERS).find(([known]) => known === name)?.[1];
  if (parser === undefined) throw parsingError(`unknown query [${name}]`);
  return parser(inner);
}

function onlyEntry(body: unknown): readonly [string, unknown] {
  const object = jsonObject.safeParse(body);
  if (!object.success) throw parsingError('[_na] query malformed, must start with start_object');
  const entries = Object.entries(object.data);
  const [first, second] = entries;
  if (first === undefined) throw illegalArgument('query malformed, empty clause found');
  if (second !== undefined) {
    throw parsingError(
      `[${first[0]}] malformed query, expected [END_OBJECT] but found [FIELD_NAME] [${second[0]}]`,
    );
  }
  return first;
}

function parseBool(body: unknown): Query {
  const { must, should, filter, must_not, boost, minimum_should_match } = readPart(
    boolBody,
    body,
    'bool',
  );
  return {
    kind: 'bool',
    boost,
    must: must.map(parseQuery),
    should: should.map(parseQuery),
    filter: filter.map(parseQuery),
    mustNot: must_not.map(parseQuery),
    ...(minimum_should_match === undefined ? {} : { minimumShouldMatch: minimum_should_match }),
  };
}

function parseKnn(body: unknown): Query {
  const [path, options] = onlyEntry(body);
  const { vector, k, filter, boost } = readPart(knnBody, options, 'knn');
  return {
    kind: 'knn',
    path,
    vector,
    k,
    boost,
    ...(filter === undefined ? {} : { filter: parseQuery(filter) }),
  };
}

function parseHybrid(body: unknown): HybridQuery {
  const { queries, filter, pagination_depth } = readPart(hybridBody, body, 'hybrid');
  if (queries.length > MOST_HYBRID_QUERIES) {
    throw parsingError(
      `Number of sub-queries exceeds maximum supported by [hybrid] query, at most ${MOST_HYBRID_QUERIES}`,
    );
  }
  return {
    kind: 'hybrid',
    queries: queries.map(parseQuery),
    ...(filter === undefined ? {} : { filter: parseQuery(filter) }),
    ...(pagination_depth === undefined ? {} : { paginationDepth: pagination_depth }),
  };
}
