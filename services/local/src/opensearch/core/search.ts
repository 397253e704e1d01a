import { evaluate } from './evaluate';
import { evaluateHybrid } from './evaluate-hybrid';
import type { Matches } from './evaluate-term';
import type { IndexedDocument } from './indexed-document';
import type { HybridQuery, Query } from './query';
import { rank } from './rank';
import { illegalArgument } from './search-error';
import type { JsonObject } from './search-error';
import type { SearchIndex } from './search-index';
import type { SearchPipeline } from './search-pipeline';
import type { SearchRequest } from './search-request';
import { compareRows, sortValues } from './sort';
import type { SortValue } from './sort';
import { filterSource } from './source-filter';

/** One document found. */
interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source?: JsonObject;
  readonly sort?: readonly SortValue[];
}

/** The `hits` of a search answer. */
export interface Hits {
  readonly total?: { readonly value: number; readonly relation: 'eq' };
  readonly max_score: number | null;
  readonly hits: readonly Hit[];
}

export interface SearchContext {
  /** The pipeline in force; hybrid queries need one. */
  readonly pipeline?: SearchPipeline;
  readonly nowMs: number;
}

/** Answers a search over one index: a function of the documents, the request and the time. */
export function search(index: SearchIndex, request: SearchRequest, context: SearchContext): Hits {
  const found = matchesOf(index, request.query, request.from + request.size, context);
  const matches = new Map([...found].filter(([, score]) => score >= request.minScore));
  const ordered = request.sort.length > 0 ? sorted(index, request, matches) : byScore(matches);
  const page = ordered.slice(request.from, request.from + request.size);
  return {
    ...(request.trackTotalHits ? { total: { value: matches.size, relation: 'eq' } } : {}),
    max_score: sortsByField(request) ? null : best(matches),
    hits: page.map((found) => hit(index, request, found)),
  };
}

/** How many documents a query matches. */
export function count(index: SearchIndex, query: Query | HybridQuery, nowMs: number): number {
  if (query.kind === 'hybrid') throw illegalArgument('hybrid query cannot be counted');
  return evaluate(index, query, nowMs).size;
}

function matchesOf(
  index: SearchIndex,
  query: Query | HybridQuery,
  depth: number,
  { pipeline, nowMs }: SearchContext,
): Matches {
  if (query.kind !== 'hybrid') return evaluate(index, query, nowMs);
  if (pipeline === undefined) {
    throw illegalArgument(
      'hybrid query needs a search pipeline with a normalization-processor: its scores mean nothing without',
    );
  }
  return evaluateHybrid(index, query, { pipeline, depth, nowMs });
}

interface Found {
  readonly document: IndexedDocument;
  readonly score: number;
  readonly row?: readonly SortValue[];
}

function byScore(matches: Matches): readonly Found[] {
  return rank(matches).map(([document, score]) => ({ document, score }));
}

function sorted(index: SearchIndex, request: SearchRequest, matches: Matches): readonly Found[] {
  if (request.query.kind === 'hybrid') {
    throw illegalArgument('hybrid query cannot be sorted by this stand-in');
  }
  return byScore(matches)
    .map(({ document, score }) => {
      const row = sortValues(index, request.sort, document, score);
      return { document, score, row };
    })
    .sort((a, b) => compareRows(request.sort, a.row, b.row));
}

function hit(index: SearchIndex, request: SearchRequest, { document, score, row }: Found): Hit {
  const { source } = request;
  return {
    _index: index.name,
    _id: document.id,
    _score: sortsByField(request) ? null : score,
    ...(source.send ? { _source: filterSource(source, document.source) } : {}),
    ...(row === undefined ? {} : { sort: row }),
  };
}

// Scores are not computed for the answer when nothing in the order depends on them.
function sortsByField({ sort }: SearchRequest): boolean {
  return sort.length > 0 && !sort.some(({ path }) => path === '_score');
}

function best(matches: Matches): number | null {
  let highest: number | null = null;
  for (const score of matches.values()) highest = Math.max(highest ?? score, score);
  return highest;
}
