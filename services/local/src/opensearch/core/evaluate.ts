import { boosted, matchWords, matchWordsInFields, sumOf } from './evaluate-match';
import {
  NO_MATCHES,
  matchAll,
  matchExists,
  matchRange,
  matchTerm,
  matchTerms,
} from './evaluate-term';
import type { Matches } from './evaluate-term';
import type { IndexedDocument } from './indexed-document';
import { requiredClauses } from './minimum-should-match';
import type { Query } from './query';
import { rank } from './rank';
import { SearchError, illegalArgument } from './search-error';
import type { SearchIndex } from './search-index';
import { vectorOf, vectorScore } from './vector-space';

/** Every document of an index that a query matches, with its score. */
export function evaluate(index: SearchIndex, query: Query, nowMs: number): Matches {
  return boosted(unboosted(index, query, nowMs), query.boost);
}

function unboosted(index: SearchIndex, query: Query, nowMs: number): Matches {
  switch (query.kind) {
    case 'match_all':
      return matchAll(index);
    case 'match_none':
      return NO_MATCHES;
    case 'term':
      return matchTerm(index, query.path, query.value, nowMs);
    case 'terms':
      return matchTerms(index, query.path, query.values, nowMs);
    case 'range':
      return matchRange(index, query.path, query.bounds, nowMs);
    case 'exists':
      return matchExists(index, query.path);
    case 'match':
      return matchWords(index, query.path, query, nowMs);
    case 'multi_match':
      return matchWordsInFields(index, query.fields, query, nowMs);
    case 'bool':
      return matchBool(index, query, nowMs);
    case 'knn':
      return matchNearest(index, query, nowMs);
  }
}

type BoolQuery = Extract<Query, { kind: 'bool' }>;
type KnnQuery = Extract<Query, { kind: 'knn' }>;

function matchBool(index: SearchIndex, query: BoolQuery, nowMs: number): Matches {
  const run = (clause: Query): Matches => evaluate(index, clause, nowMs);
  const must = query.must.map(run);
  const filter = query.filter.map(run);
  const mustNot = query.mustNot.map(run);
  const optional = sumOf(query.should.map(run));
  const needed = requiredShould(query);

  const required = [...must, ...filter];
  const candidates = required[0]?.keys() ?? (needed > 0 ? optional : matchAll(index)).keys();
  const matches = new Map<IndexedDocument, number>();
  for (const document of candidates) {
    const wanted =
      required.every((clause) => clause.has(document)) &&
      !mustNot.some((clause) => clause.has(document)) &&
      (optional.get(document)?.clauses ?? 0) >= needed;
    if (wanted) {
      const asked = must.reduce((sum, clause) => sum + (clause.get(document) ?? 0), 0);
      matches.set(document, asked + (optional.get(document)?.score ?? 0));
    }
  }
  return matches;
}

// Optional clauses are truly optional only beside required ones.
function requiredShould({ must, filter, should, minimumShouldMatch }: BoolQuery): number {
  const fallback = should.length > 0 && must.length + filter.length === 0 ? 1 : 0;
  return requiredClauses(minimumShouldMatch ?? fallback, should.length);
}

/**
 * The k documents nearest to a vector. A filter inside the query narrows the candidates first, so k
 * filtered documents are found if there are as many; a filter around it only thins out the k.
 */
function matchNearest(index: SearchIndex, query: KnnQuery, nowMs: number): Matches {
  const { path, vector, k, filter } = query;
  const type = index.mapping.fields.get(path)?.type;
  if (type?.kind !== 'vector') {
    throw new SearchError(
      'query_shard_exception',
      `failed to create query: Field '${path}' is not knn_vector type.`,
    );
  }
  if (vector.length !== type.dimension) {
    throw illegalArgument(
      `Query vector has invalid dimension: ${vector.length}. Dimension should be: ${type.dimension}`,
    );
  }
  if (filter !== undefined && type.engine === 'nmslib') {
    throw illegalArgument('Engine [nmslib] does not support filters');
  }
  const candidates = filter === undefined ? matchAll(index) : evaluate(index, filter, nowMs);
  const wanted = vectorOf(vector);
  const scored = [...candidates.keys()].flatMap((document) => {
    const held = document.vectors.get(path);
    return held === undefined ? [] : [[document, vectorScore(type.space, wanted, held)] as const];
  });
  return new Map(rank(new Map(scored), k));
}
