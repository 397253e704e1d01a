import { z } from 'zod';

import { parseMapping } from './core/mapping';
import {
  SearchError,
  illegalArgument,
  indexNotFound,
  jsonObject,
  parsingError,
} from './core/search-error';
import type { JsonObject } from './core/search-error';
import { searchIndex } from './core/search-index';
import type { SearchIndex } from './core/search-index';
import { parsePipeline } from './core/search-pipeline';
import type { SearchPipeline } from './core/search-pipeline';

/** A managed domain, or a serverless collection for vectors, which allows less. */
export type ClusterKind = 'domain' | 'vector-collection';

export interface StoredIndex {
  readonly index: SearchIndex;
  readonly settings: JsonObject;
  readonly createdAtMs: number;
}

/** What a running OpenSearch holds. */
export interface Cluster {
  readonly kind: ClusterKind;
  readonly indices: Map<string, StoredIndex>;
  /** By name, as they were written. */
  readonly pipelines: Map<string, unknown>;
  nowMs(): number;
  /** Ids for documents that came without. */
  newId(): string;
}

const indexBody = z.strictObject({
  settings: jsonObject.default({}),
  mappings: z.unknown().optional(),
});

export function createIndex(cluster: Cluster, name: string, body: unknown): StoredIndex {
  checkIndexName(name);
  if (cluster.indices.has(name)) {
    throw new SearchError(
      'resource_already_exists_exception',
      `index [${name}] already exists`,
      400,
      {
        index: name,
      },
    );
  }
  const parsed = indexBody.safeParse(body);
  if (!parsed.success) throw parsingError(`unknown key for create index: ${parsed.error.message}`);
  const { settings, mappings } = parsed.data;
  const stored = {
    index: searchIndex(name, parseMapping(mappings)),
    settings,
    createdAtMs: cluster.nowMs(),
  };
  cluster.indices.set(name, stored);
  return stored;
}

/** The index of a read; it must exist. */
export function findIndex(cluster: Cluster, name: string): StoredIndex {
  const stored = cluster.indices.get(name);
  if (stored === undefined) throw indexNotFound(name);
  return stored;
}

/** The index of a write, which creates it. */
export function writableIndex(cluster: Cluster, name: string): SearchIndex {
  return (cluster.indices.get(name) ?? createIndex(cluster, name, {})).index;
}

/** The pipeline a search runs through: its own, by name or written out, else the index's default. */
export function pipelineFor(
  cluster: Cluster,
  { settings }: StoredIndex,
  wanted: unknown,
): SearchPipeline | undefined {
  const chosen = wanted ?? setting(settings, 'index.search.default_pipeline');
  if (chosen === undefined || chosen === '_none') return undefined;
  if (typeof chosen !== 'string') return parsePipeline(chosen);
  const body = cluster.pipelines.get(chosen);
  if (body === undefined) throw illegalArgument(`Pipeline ${chosen} is not defined`);
  return parsePipeline(body);
}

/** A setting by its full name, whether it was written nested or dotted, with or without `index.`. */
function setting(settings: JsonObject, name: string): unknown {
  const flat = new Map(flatten('', settings));
  return flat.get(name) ?? flat.get(name.replace(/^index\./, ''));
}

function* flatten(prefix: string, object: JsonObject): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(object)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const inner = jsonObject.safeParse(value);
    if (inner.success && !Array.isArray(value)) yield* flatten(path, inner.data);
    else yield [path, value];
  }
}

function checkIndexName(name: string): void {
  const reason =
    name !== name.toLowerCase()
      ? 'must be lowercase'
      : /^[-_+]|[\s"*+/\\|?#><,:]/.test(name)
        ? 'must not begin with [-_+] or hold spaces or any of ["*+/\\|?#><,:]'
        : undefined;
  if (reason !== undefined) {
    throw new SearchError(
      'invalid_index_name_exception',
      `Invalid index name [${name}], ${reason}`,
      400,
      {
        index: name,
      },
    );
  }
}
