import { evaluate } from './evaluate';
import type { Matches } from './evaluate-term';
import type { IndexedDocument } from './indexed-document';
import type { HybridQuery, Query } from './query';
import { rank } from './rank';
import { combineScores, normalizeScores } from './score-combination';
import { illegalArgument } from './search-error';
import type { SearchIndex } from './search-index';
import type { SearchPipeline } from './search-pipeline';

export interface HybridOptions {
  readonly pipeline: SearchPipeline;
  /** Hits of each query that take part, unless the query says so itself. */
  readonly depth: number;
  readonly nowMs: number;
}

/** Runs each query for itself, normalizes its best hits and combines them document by document. */
export function evaluateHybrid(
  index: SearchIndex,
  query: HybridQuery,
  { pipeline, depth, nowMs }: HybridOptions,
): Matches {
  checkWeightCount(query, pipeline);
  const normalized = query.queries.map((each) => {
    const found = evaluate(index, filtered(each, query.filter), nowMs);
    return normalize(rank(found, query.paginationDepth ?? depth), pipeline);
  });
  const weights = pipeline.weights ?? query.queries.map(() => 1);
  const documents = new Set(normalized.flatMap((matches) => [...matches.keys()]));
  return new Map(
    [...documents].map((document) => {
      const scores = normalized.map((matches) => matches.get(document) ?? 0);
      return [document, combineScores(pipeline.combination, scores, weights)];
    }),
  );
}

// A filter for the whole reaches inside each query, so that a k-nearest search still finds k.
function filtered(query: Query, filter: Query | undefined): Query {
  if (filter === undefined) return query;
  if (query.kind !== 'knn') return conjunction([query], [filter]);
  const inner = query.filter === undefined ? [filter] : [query.filter, filter];
  return { ...query, filter: conjunction([], inner) };
}

function conjunction(must: readonly Query[], filter: readonly Query[]): Query {
  return { kind: 'bool', boost: 1, must, filter, should: [], mustNot: [] };
}

function normalize(
  best: readonly (readonly [IndexedDocument, number])[],
  { normalization }: SearchPipeline,
): Matches {
  const scores = normalizeScores(
    normalization,
    best.map(([, score]) => score),
  );
  return new Map(best.map(([document], index) => [document, scores[index] ?? 0]));
}

function checkWeightCount({ queries }: HybridQuery, { weights }: SearchPipeline): void {
  if (weights && weights.length !== queries.length) {
    throw illegalArgument(
      `number of weights [${weights.length}] must match number of sub-queries [${queries.length}] in hybrid query`,
    );
  }
}
