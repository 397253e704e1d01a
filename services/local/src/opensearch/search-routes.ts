import { findIndex, pipelineFor } from './cluster';
import { evaluate } from './core/evaluate';
import { count, search } from './core/search';
import { illegalArgument } from './core/search-error';
import { parseCountRequest, parseSearchRequest } from './core/search-request';
import { bodyObject, ok } from './route';
import type { Route, RoutedCall } from './route';

const ONE_SHARD = { total: 1, successful: 1, skipped: 0, failed: 0 };

/** Searching, counting, and deleting what a search finds. */
export const SEARCH_ROUTES: readonly Route[] = [
  { methods: ['GET', 'POST'], path: '/:index/_search', answer: runSearch },
  {
    methods: ['GET', 'POST'],
    path: '/:index/_count',
    answer: (call) => {
      const { index } = findIndex(call.cluster, call.param('index'));
      const query = parseCountRequest(bodyObject(call));
      return ok({ count: count(index, query, call.cluster.nowMs()), _shards: ONE_SHARD });
    },
  },
  {
    methods: ['POST'],
    path: '/:index/_delete_by_query',
    only: 'domain',
    answer: (call) => {
      const { index } = findIndex(call.cluster, call.param('index'));
      const query = parseCountRequest(bodyObject(call));
      if (query.kind === 'hybrid') throw illegalArgument('hybrid query cannot delete');
      const doomed = [...evaluate(index, query, call.cluster.nowMs()).keys()];
      for (const { id } of doomed) index.remove(id);
      return ok({ deleted: doomed.length, total: doomed.length, failures: [], timed_out: false });
    },
  },
];

function runSearch(call: RoutedCall) {
  const { cluster, query } = call;
  const startedAtMs = cluster.nowMs();
  const stored = findIndex(cluster, call.param('index'));
  const request = parseSearchRequest({ ...bodyObject(call), ...pageOf(query) });
  const wanted = query.get('search_pipeline') ?? request.pipeline;
  const pipeline = pipelineFor(cluster, stored, wanted);
  const context = { nowMs: startedAtMs, ...(pipeline ? { pipeline } : {}) };
  const hits = search(stored.index, request, context);
  return ok({
    took: Math.round(cluster.nowMs() - startedAtMs),
    timed_out: call.timesOut,
    _shards: ONE_SHARD,
    hits: call.timesOut ? { ...hits, max_score: null, hits: [] } : hits,
  });
}

// `?size=5` wins over the body, as it does in OpenSearch.
function pageOf(query: URLSearchParams): { from?: number; size?: number } {
  const from = query.get('from');
  const size = query.get('size');
  return {
    ...(from === null ? {} : { from: Number(from) }),
    ...(size === null ? {} : { size: Number(size) }),
  };
}
