import { z } from 'zod';

import { parseTopLevelQuery } from './parse-query';
import type { HybridQuery, Query } from './query';
import { illegalArgument, jsonObject, parsingError } from './search-error';
import { sortKeys } from './sort';
import type { SortKey } from './sort';
import { sourceFilter } from './source-filter';
import type { SourceFilter } from './source-filter';

/** What a search asks for. */
export interface SearchRequest {
  readonly query: Query | HybridQuery;
  readonly from: number;
  readonly size: number;
  readonly sort: readonly SortKey[];
  readonly source: SourceFilter;
  readonly trackTotalHits: boolean;
  readonly minScore: number;
  /** The name of a pipeline, or one written out in the request. */
  readonly pipeline?: unknown;
}

const LARGEST_WINDOW = 10_000;

const requestBody = z.object({
  query: z.unknown().optional(),
  from: z.int().default(0),
  size: z.int().default(10),
  sort: sortKeys,
  _source: sourceFilter,
  track_total_hits: z.union([z.boolean(), z.int()]).default(true),
  min_score: z.number().default(-Infinity),
  search_pipeline: z.unknown().optional(),
  timeout: z.string().optional(),
});

/** Reads the body of a search. */
export function parseSearchRequest(body: unknown): SearchRequest {
  refuseUnknownKeys(body);
  const parsed = requestBody.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw parsingError(`Failed to parse [${issue?.path.join('.') ?? ''}]: ${issue?.message ?? ''}`);
  }
  const { query, from, size, sort, _source, track_total_hits, min_score, search_pipeline } =
    parsed.data;
  checkWindow(from, size);
  return {
    query: query === undefined ? { kind: 'match_all', boost: 1 } : parseTopLevelQuery(query),
    from,
    size,
    sort,
    source: _source,
    trackTotalHits: track_total_hits !== false,
    minScore: min_score,
    ...(search_pipeline === undefined ? {} : { pipeline: search_pipeline }),
  };
}

/** Reads the body of a count, which has a query and nothing else. */
export function parseCountRequest(body: unknown): Query | HybridQuery {
  const parsed = z.strictObject({ query: z.unknown().optional() }).safeParse(body);
  if (!parsed.success) throw parsingError('request does not support anything but [query]');
  const { query } = parsed.data;
  return query === undefined ? { kind: 'match_all', boost: 1 } : parseTopLevelQuery(query);
}

function refuseUnknownKeys(body: unknown): void {
  const object = jsonObject.safeParse(body);
  if (!object.success) throw parsingError('Expected [START_OBJECT] but found something else');
  const known = Object.keys(requestBody.shape);
  const unknown = Object.keys(object.data).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw parsingError(
      `Unknown key [${unknown}]. This stand-in knows [${known.join(', ')}] in a search.`,
    );
  }
}

function checkWindow(from: number, size: number): void {
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`);
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  if (from + size > LARGEST_WINDOW) {
    throw illegalArgument(
      `Result window is too large, from + size must be less than or equal to: [${LARGEST_WINDOW}] but was [${from + size}].`,
    );
  }
}
