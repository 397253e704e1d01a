import { z } from 'zod';

import { SearchError, jsonObject } from './search-error';
import type { JsonObject } from './search-error';
import { SPACE_TYPES } from './vector-space';
import type { SpaceType } from './vector-space';

const ENGINES = ['faiss', 'lucene', 'nmslib'] as const;

export type FieldType =
  | { readonly kind: 'text' }
  | { readonly kind: 'keyword'; readonly ignoreAbove: number }
  | { readonly kind: 'number'; readonly name: string }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'date' }
  | {
      readonly kind: 'vector';
      readonly dimension: number;
      readonly space: SpaceType;
      readonly engine: (typeof ENGINES)[number];
    };

/** A field that can be searched, and where in a document its value is found. */
export interface Field {
  readonly type: FieldType;
  /** Differs from the field's own path for multi-fields: `title.keyword` reads `title`. */
  readonly source: string;
}

export interface Mapping {
  /** What happens to fields nobody declared: mapped, left unsearchable, or refused. */
  readonly dynamic: 'true' | 'false' | 'strict';
  readonly fields: ReadonlyMap<string, Field>;
}

const NUMBERS = ['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float'];

const mappingBody = z.object({
  dynamic: z.union([z.boolean(), z.enum(['true', 'false', 'strict'])]).default(true),
  properties: jsonObject.default({}),
});

const fieldBody = z.object({
  type: z.string().optional(),
  properties: jsonObject.optional(),
  fields: jsonObject.optional(),
  ignore_above: z.int().positive().optional(),
  enabled: z.boolean().default(true),
});

const vectorBody = z.object({
  dimension: z.int().positive().max(16_000),
  space_type: z.enum(SPACE_TYPES).optional(),
  method: z
    .object({
      name: z.string().default('hnsw'),
      space_type: z.enum(SPACE_TYPES).optional(),
      engine: z.enum(ENGINES).default('faiss'),
    })
    .default({ name: 'hnsw', engine: 'faiss' }),
});

/** Reads the `mappings` of an index. */
export function parseMapping(body: unknown): Mapping {
  const parsed = mappingBody.safeParse(body ?? {});
  if (!parsed.success) throw malformed('_doc', parsed.error);
  const { dynamic, properties } = parsed.data;
  return { dynamic: dynamicSetting(dynamic), fields: new Map(readProperties('', properties)) };
}

function dynamicSetting(dynamic: boolean | Mapping['dynamic']): Mapping['dynamic'] {
  if (typeof dynamic === 'string') return dynamic;
  return dynamic ? 'true' : 'false';
}

/** The type an undeclared value is given, as dynamic mapping would. */
export function dynamicFields(path: string, value: unknown): readonly (readonly [string, Field])[] {
  if (typeof value === 'string') {
    return [
      [path, { type: { kind: 'text' }, source: path }],
      [`${path}.keyword`, { type: { kind: 'keyword', ignoreAbove: 256 }, source: path }],
    ];
  }
  if (typeof value === 'boolean') return [[path, { type: { kind: 'boolean' }, source: path }]];
  if (typeof value !== 'number') return [];
  const name = Number.isInteger(value) ? 'long' : 'float';
  return [[path, { type: { kind: 'number', name }, source: path }]];
}

function readProperties(prefix: string, properties: JsonObject): [string, Field][] {
  return Object.entries(properties).flatMap(([name, body]) =>
    readField(prefix === '' ? name : `${prefix}.${name}`, body),
  );
}

function readField(path: string, body: unknown): [string, Field][] {
  const parsed = fieldBody.safeParse(body);
  if (!parsed.success) throw malformed(path, parsed.error);
  const { type, properties, fields = {}, enabled, ignore_above: ignoreAbove } = parsed.data;
  if (type === undefined || type === 'object') {
    return enabled ? readProperties(path, properties ?? {}) : [];
  }
  const own: Field = { type: readType(path, type, body, ignoreAbove), source: path };
  const others = readProperties(path, fields).map(([at, field]): [string, Field] => [
    at,
    { ...field, source: path },
  ]);
  return [[path, own], ...others];
}

function readType(path: string, type: string, body: unknown, ignoreAbove = Infinity): FieldType {
  if (NUMBERS.includes(type)) return { kind: 'number', name: type };
  switch (type) {
    case 'text':
    case 'boolean':
    case 'date':
      return { kind: type };
    case 'keyword':
      return { kind: 'keyword', ignoreAbove };
    case 'knn_vector':
      return readVector(path, body);
    default:
      throw new SearchError(
        'mapper_parsing_exception',
        `No handler for type [${type}] declared on field [${path}]`,
      );
  }
}

function readVector(path: string, body: unknown): FieldType {
  const parsed = vectorBody.safeParse(body);
  if (!parsed.success) throw malformed(path, parsed.error);
  const { dimension, method, space_type: outerSpace } = parsed.data;
  const space = method.space_type ?? outerSpace ?? 'l2';
  return { kind: 'vector', dimension, space, engine: method.engine };
}

function malformed(path: string, error: z.ZodError): SearchError {
  const [issue] = error.issues;
  const at = [path, ...(issue?.path ?? [])].join('.');
  return new SearchError(
    'mapper_parsing_exception',
    `Failed to parse mapping [${at}]: ${issue?.message ?? 'unreadable'}`,
  );
}
