import { jsonReply } from '../wire/stand-in-call';
import { createIndex, findIndex } from './cluster';
import { describeMapping } from './core/describe-mapping';
import { SearchError } from './core/search-error';
import { parsePipeline } from './core/search-pipeline';
import { bodyObject, ok } from './route';
import type { Route } from './route';

const VERSION = '3.1.0';

/** The cluster itself, its indices and its pipelines. */
export const INDEX_ROUTES: readonly Route[] = [
  {
    methods: ['GET', 'HEAD'],
    path: '/',
    answer: () =>
      ok({
        name: 'stand-in',
        cluster_name: 'stand-in',
        version: { distribution: 'opensearch', number: VERSION },
        tagline: 'The OpenSearch Project: https://opensearch.org/',
      }),
  },
  {
    methods: ['GET'],
    path: '/_cluster/health',
    only: 'domain',
    answer: ({ cluster }) =>
      ok({
        cluster_name: 'stand-in',
        status: 'green',
        timed_out: false,
        number_of_nodes: 1,
        number_of_data_nodes: 1,
        active_primary_shards: cluster.indices.size,
        active_shards: cluster.indices.size,
        unassigned_shards: 0,
      }),
  },
  {
    methods: ['PUT'],
    path: '/:index',
    answer: (call) => {
      const index = call.param('index');
      createIndex(call.cluster, index, bodyObject(call));
      return ok({ acknowledged: true, shards_acknowledged: true, index });
    },
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/:index',
    answer: ({ cluster, param }) => {
      const { index, settings, createdAtMs } = findIndex(cluster, param('index'));
      const mappings = describeMapping(index.mapping);
      const created = { index: { ...settings, creation_date: String(createdAtMs) } };
      return ok({ [index.name]: { aliases: {}, mappings, settings: created } });
    },
  },
  {
    methods: ['GET'],
    path: '/:index/_mapping',
    answer: ({ cluster, param }) => {
      const { index } = findIndex(cluster, param('index'));
      return ok({ [index.name]: { mappings: describeMapping(index.mapping) } });
    },
  },
  {
    methods: ['DELETE'],
    path: '/:index',
    answer: ({ cluster, param }) => {
      cluster.indices.delete(findIndex(cluster, param('index')).index.name);
      return ok({ acknowledged: true });
    },
  },
  {
    methods: ['POST', 'GET'],
    path: '/:index/_refresh',
    only: 'domain',
    answer: ({ cluster, param }) => {
      findIndex(cluster, param('index'));
      return ok({ _shards: { total: 1, successful: 1, failed: 0 } });
    },
  },
  {
    methods: ['PUT'],
    path: '/_search/pipeline/:name',
    answer: (call) => {
      const body = bodyObject(call);
      parsePipeline(body);
      call.cluster.pipelines.set(call.param('name'), body);
      return ok({ acknowledged: true });
    },
  },
  {
    methods: ['GET'],
    path: '/_search/pipeline/:name',
    answer: ({ cluster, param }) => {
      const body = cluster.pipelines.get(param('name'));
      return body === undefined ? jsonReply(404, {}) : ok({ [param('name')]: body });
    },
  },
  {
    methods: ['DELETE'],
    path: '/_search/pipeline/:name',
    answer: ({ cluster, param }) => {
      if (cluster.pipelines.delete(param('name'))) return ok({ acknowledged: true });
      throw new SearchError(
        'resource_not_found_exception',
        `pipeline [${param('name')}] is missing`,
        404,
      );
    },
  },
];
