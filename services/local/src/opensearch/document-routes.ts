import { jsonReply } from '../wire/stand-in-call';
import { parseBulk, runBulk } from './bulk';
import { findIndex } from './cluster';
import { jsonObject, readPart } from './core/search-error';
import { writeDocument } from './document-writes';
import type { DocumentWrite } from './document-writes';
import { bodyObject, ok } from './route';
import type { Route, RoutedCall } from './route';

function written(call: RoutedCall, write: DocumentWrite) {
  const { status, body } = writeDocument(call.cluster, write);
  return jsonReply(status, body);
}

function bulk(call: RoutedCall, index?: string) {
  const startedAtMs = call.cluster.nowMs();
  const result = runBulk(call.cluster, parseBulk(call.body, index));
  return ok({ took: Math.round(call.cluster.nowMs() - startedAtMs), ...result });
}

/** Documents one by one and in bulk. What is written is found at once. */
export const DOCUMENT_ROUTES: readonly Route[] = [
  { methods: ['POST', 'PUT'], path: '/_bulk', answer: (call) => bulk(call) },
  {
    methods: ['POST', 'PUT'],
    path: '/:index/_bulk',
    answer: (call) => bulk(call, call.param('index')),
  },
  {
    methods: ['POST'],
    path: '/:index/_doc',
    answer: (call) =>
      written(call, { action: 'index', index: call.param('index'), source: bodyObject(call) }),
  },
  {
    methods: ['PUT', 'POST'],
    path: '/:index/_doc/:id',
    answer: (call) =>
      written(call, {
        action: call.query.get('op_type') === 'create' ? 'create' : 'index',
        index: call.param('index'),
        id: call.param('id'),
        source: bodyObject(call),
      }),
  },
  {
    methods: ['PUT', 'POST'],
    path: '/:index/_create/:id',
    answer: (call) =>
      written(call, {
        action: 'create',
        index: call.param('index'),
        id: call.param('id'),
        source: bodyObject(call),
      }),
  },
  {
    methods: ['POST'],
    path: '/:index/_update/:id',
    answer: (call) =>
      written(call, {
        action: 'update',
        index: call.param('index'),
        id: call.param('id'),
        change: readPart(jsonObject, bodyObject(call)['doc'], 'doc'),
      }),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/:index/_doc/:id',
    answer: ({ cluster, param }) => {
      const { index } = findIndex(cluster, param('index'));
      const document = index.documents.get(param('id'));
      const named = { _index: index.name, _id: param('id') };
      return document === undefined
        ? jsonReply(404, { ...named, found: false })
        : ok({ ...named, _version: document.version, found: true, _source: document.source });
    },
  },
  {
    methods: ['DELETE'],
    path: '/:index/_doc/:id',
    answer: (call) =>
      written(call, { action: 'delete', index: call.param('index'), id: call.param('id') }),
  },
];
