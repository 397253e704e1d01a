import { z } from 'zod';

import type { IndexedDocument } from './indexed-document';
import type { FieldValue } from './field-value';
import { illegalArgument } from './search-error';
import type { SearchIndex } from './search-index';

export interface SortKey {
  /** A field, or `_score`. */
  readonly path: string;
  readonly descending: boolean;
}

const order = z.enum(['asc', 'desc']);
const byName = z.string().transform((path) => [{ path, descending: path === '_score' }]);
const byField = z
  .record(z.string(), z.union([order, z.strictObject({ order: order.optional() })]))
  .transform((fields) =>
    Object.entries(fields).map(([path, given]) => {
      const wanted = typeof given === 'string' ? given : given.order;
      return { path, descending: (wanted ?? (path === '_score' ? 'desc' : 'asc')) === 'desc' };
    }),
  );
const one = z.union([byName, byField]);

/** `"price"`, `{"price": "desc"}`, `{"price": {"order": "desc"}}`, or a list of such. */
export const sortKeys = z.union([z.array(one).transform((all) => all.flat()), one]).default([]);

export type SortValue = FieldValue | null;

/** The values a document is sorted by; a list counts by its smallest, or largest when descending. */
export function sortValues(
  index: SearchIndex,
  keys: readonly SortKey[],
  document: IndexedDocument,
  score: number,
): readonly SortValue[] {
  return keys.map(({ path, descending }) => {
    if (path === '_score') return score;
    checkSortable(index, path);
    const values = [...(document.values.get(path) ?? [])].sort(compareValues);
    return values.at(descending ? -1 : 0) ?? null;
  });
}

/** Orders rows of sort values; documents without the field come last either way. */
export function compareRows(
  keys: readonly SortKey[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [position, { descending }] of keys.entries()) {
    const [left = null, right = null] = [a[position], b[position]];
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return descending ? compareValues(right, left) : compareValues(left, right);
  }
  return 0;
}

function compareValues(a: FieldValue, b: FieldValue): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function checkSortable({ mapping }: SearchIndex, path: string): void {
  const type = mapping.fields.get(path)?.type;
  if (type === undefined)
    throw illegalArgument(`No mapping found for [${path}] in order to sort on`);
  if (type.kind === 'text' || type.kind === 'vector') {
    throw illegalArgument(
      `Fields of type [${type.kind}] cannot be sorted on: [${path}]. Use a keyword field instead.`,
    );
  }
}
