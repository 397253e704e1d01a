import { analyze } from './analysis';
import { readValue, readVectorValue } from './field-value';
import type { FieldValue } from './field-value';
import { dynamicFields } from './mapping';
import type { Field, Mapping } from './mapping';
import { SearchError, jsonObject } from './search-error';
import type { JsonObject } from './search-error';
import { vectorOf } from './vector-space';
import type { Vector } from './vector-space';

/** A document as the index sees it. */
export interface IndexedDocument {
  readonly id: string;
  readonly source: JsonObject;
  /** Order of arrival: ties in a score are broken by it. */
  readonly ordinal: number;
  readonly version: number;
  /** Terms by text field. */
  readonly terms: ReadonlyMap<string, readonly string[]>;
  /** Values by every other field but vectors. */
  readonly values: ReadonlyMap<string, readonly FieldValue[]>;
  readonly vectors: ReadonlyMap<string, Vector>;
}

interface Identity {
  readonly id: string;
  readonly ordinal: number;
  readonly version: number;
}

/** The mapping, grown by the fields of a document that it does not know yet. */
export function growMapping(mapping: Mapping, source: JsonObject): Mapping {
  if (mapping.dynamic === 'false') return mapping;
  const unknown = [...leaves('', source, mapping)].filter(([path]) => !mapping.fields.has(path));
  if (unknown.length === 0) return mapping;
  const [first] = unknown;
  if (mapping.dynamic === 'strict' && first) {
    throw new SearchError(
      'strict_dynamic_mapping_exception',
      `mapping set to strict, dynamic introduction of [${first[0]}] within [_doc] is not allowed`,
    );
  }
  const grown = unknown.flatMap(([path, values]) => dynamicFields(path, values[0]));
  return { ...mapping, fields: new Map([...mapping.fields, ...grown]) };
}

/** Reads a document through a mapping that knows its fields. */
export function indexDocument(
  mapping: Mapping,
  identity: Identity,
  source: JsonObject,
): IndexedDocument {
  const raw = new Map(leaves('', source, mapping));
  const terms = new Map<string, readonly string[]>();
  const values = new Map<string, readonly FieldValue[]>();
  const vectors = new Map<string, Vector>();

  for (const [path, field] of mapping.fields) {
    const given = raw.get(field.source);
    if (given === undefined || given.length === 0) continue;
    if (field.type.kind === 'vector') {
      vectors.set(path, readVectorField(path, field.type.dimension, given[0]));
      continue;
    }
    const read = given.map((value) => readField(path, field, value, identity.id));
    if (field.type.kind === 'text')
      terms.set(
        path,
        read.flatMap((text) => analyze(String(text))),
      );
    else values.set(path, keptValues(field, read));
  }
  return { ...identity, source, terms, values, vectors };
}

function keptValues({ type }: Field, values: readonly FieldValue[]): readonly FieldValue[] {
  if (type.kind !== 'keyword') return values;
  return values.filter((value) => String(value).length <= type.ignoreAbove);
}

function readField(path: string, { type }: Field, value: unknown, id: string): FieldValue {
  // A stored date is absolute: `now` means nothing in a document.
  const read = readValue(type, value, NaN);
  if (read !== undefined && !Number.isNaN(read)) return read;
  const name = type.kind === 'number' ? type.name : type.kind;
  throw new SearchError(
    'mapper_parsing_exception',
    `failed to parse field [${path}] of type [${name}] in document with id '${id}'. ` +
      `Preview of field's value: '${JSON.stringify(value)}'`,
  );
}

function readVectorField(path: string, dimension: number, value: unknown): Vector {
  const vector = readVectorValue(value);
  if (vector?.length === dimension) return vectorOf(vector);
  const reason =
    vector === undefined
      ? `[${path}] is not an array of numbers`
      : `Vector dimension mismatch. Expected: ${dimension}, Given: ${vector.length}`;
  throw new SearchError('mapper_parsing_exception', `failed to parse field [${path}]: ${reason}`);
}

/** The values of a document by dotted path; a vector is one value, other lists are several. */
function* leaves(
  prefix: string,
  source: JsonObject,
  mapping: Mapping,
): Generator<[string, readonly unknown[]]> {
  for (const [name, value] of Object.entries(source)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (value === null || value === undefined) continue;
    if (mapping.fields.get(path)?.type.kind === 'vector') {
      yield [path, [value]];
      continue;
    }
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const objects = items.flatMap((item) => {
      const object = jsonObject.safeParse(item);
      return object.success && !Array.isArray(item) ? [object.data] : [];
    });
    if (objects.length > 0) yield* merged(objects.flatMap((o) => [...leaves(path, o, mapping)]));
    else yield [path, items.filter((item) => item !== null)];
  }
}

function merged(pairs: readonly [string, readonly unknown[]][]): Map<string, readonly unknown[]> {
  const all = new Map<string, readonly unknown[]>();
  for (const [path, values] of pairs) all.set(path, [...(all.get(path) ?? []), ...values]);
  return all;
}
