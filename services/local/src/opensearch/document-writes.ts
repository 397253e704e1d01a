import { writableIndex } from './cluster';
import type { Cluster } from './cluster';
import { SearchError, illegalArgument, indexNotFound } from './core/search-error';
import type { JsonObject } from './core/search-error';

/** One change of one document. */
export type DocumentWrite =
  | {
      readonly action: 'index';
      readonly index: string;
      readonly id?: string;
      readonly source: JsonObject;
    }
  | {
      readonly action: 'create';
      readonly index: string;
      readonly id?: string;
      readonly source: JsonObject;
    }
  | {
      readonly action: 'update';
      readonly index: string;
      readonly id: string;
      readonly change: JsonObject;
    }
  | { readonly action: 'delete'; readonly index: string; readonly id: string };

export interface WriteOutcome {
  readonly status: number;
  readonly body: JsonObject;
}

/** Applies a change, or throws without having changed anything. */
export function writeDocument(cluster: Cluster, write: DocumentWrite): WriteOutcome {
  switch (write.action) {
    case 'index':
    case 'create':
      return put(cluster, write);
    case 'update':
      return update(cluster, write);
    case 'delete':
      return remove(cluster, write);
  }
}

type Put = Extract<DocumentWrite, { action: 'index' | 'create' }>;

function put(cluster: Cluster, { action, index: name, id: given, source }: Put): WriteOutcome {
  if (given !== undefined && cluster.kind === 'vector-collection') {
    throw illegalArgument('Document ID is not supported in create/index operation request');
  }
  const index = writableIndex(cluster, name);
  const id = given ?? cluster.newId();
  const existing = index.documents.get(id);
  if (action === 'create' && existing) {
    throw new SearchError(
      'version_conflict_engine_exception',
      `[${id}]: version conflict, document already exists (current version [${existing.version}])`,
      409,
    );
  }
  const { created, version } = index.put(id, source);
  return outcome(created ? 201 : 200, name, id, version, created ? 'created' : 'updated');
}

function update(
  cluster: Cluster,
  { index: name, id, change }: Extract<DocumentWrite, { action: 'update' }>,
): WriteOutcome {
  const index = cluster.indices.get(name)?.index;
  const existing = index?.documents.get(id);
  if (index === undefined || existing === undefined) {
    throw new SearchError('document_missing_exception', `[${id}]: document missing`, 404);
  }
  const { version } = index.put(id, { ...existing.source, ...change });
  return outcome(200, name, id, version, 'updated');
}

function remove(
  cluster: Cluster,
  { index: name, id }: Extract<DocumentWrite, { action: 'delete' }>,
): WriteOutcome {
  const index = cluster.indices.get(name)?.index;
  if (index === undefined) throw indexNotFound(name);
  const version = (index.documents.get(id)?.version ?? 0) + 1;
  return index.remove(id)
    ? outcome(200, name, id, version, 'deleted')
    : outcome(404, name, id, version, 'not_found');
}

function outcome(
  status: number,
  index: string,
  id: string,
  version: number,
  result: string,
): WriteOutcome {
  const shards = { total: 1, successful: 1, failed: 0 };
  return { status, body: { _index: index, _id: id, _version: version, result, _shards: shards } };
}
