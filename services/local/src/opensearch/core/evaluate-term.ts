import { bm25, bm25Exact } from './bm25';
import { readValue } from './field-value';
import type { FieldValue } from './field-value';
import type { IndexedDocument } from './indexed-document';
import type { FieldType } from './mapping';
import type { RangeBounds } from './query';
import { SearchError } from './search-error';
import type { SearchIndex } from './search-index';

/** The documents a query matches, each with its score. */
export type Matches = ReadonlyMap<IndexedDocument, number>;

export const NO_MATCHES: Matches = new Map();

/** Documents whose field holds exactly this value; text fields hold terms, not texts. */
export function matchTerm(
  index: SearchIndex,
  path: string,
  value: unknown,
  nowMs: number,
): Matches {
  const type = index.mapping.fields.get(path)?.type;
  if (type === undefined) return NO_MATCHES;
  if (type.kind === 'text' || type.kind === 'keyword') {
    return scoreTerm(index, path, String(value), type.kind === 'keyword');
  }
  const wanted = readQueryValue(path, type, value, nowMs);
  return constant(
    matching(index, (document) => document.values.get(path)?.includes(wanted) ?? false),
  );
}

export function matchTerms(
  index: SearchIndex,
  path: string,
  values: readonly unknown[],
  nowMs: number,
): Matches {
  return constant(values.flatMap((value) => [...matchTerm(index, path, value, nowMs).keys()]));
}

export function matchRange(
  index: SearchIndex,
  path: string,
  bounds: RangeBounds,
  nowMs: number,
): Matches {
  const type = index.mapping.fields.get(path)?.type;
  if (type === undefined) return NO_MATCHES;
  const limit = (value: unknown): FieldValue | undefined =>
    value === undefined ? undefined : readQueryValue(path, type, value, nowMs);
  const [gt, gte, lt, lte] = [bounds.gt, bounds.gte, bounds.lt, bounds.lte].map(limit);

  const within = (value: FieldValue): boolean =>
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte);
  const held = (document: IndexedDocument): readonly FieldValue[] =>
    document.values.get(path) ?? document.terms.get(path) ?? [];
  return constant(matching(index, (document) => held(document).some(within)));
}

export function matchExists(index: SearchIndex, path: string): Matches {
  const holds = ({ terms, values, vectors }: IndexedDocument): boolean =>
    [terms, values, vectors].some((fields) =>
      [...fields.keys()].some((key) => key === path || key.startsWith(`${path}.`)),
    );
  return constant(matching(index, holds));
}

export function matchAll(index: SearchIndex): Matches {
  return constant([...index.documents.values()]);
}

/** Documents that hold a term, scored by BM25; exact values have no length to speak of. */
export function scoreTerm(index: SearchIndex, path: string, term: string, exact: boolean): Matches {
  const terms = index.termsOf(path);
  if (terms === undefined) return NO_MATCHES;
  return new Map(
    [...terms.occurrences(term).keys()].map((document) => [
      document,
      exact ? bm25Exact(terms, term) : bm25(terms, term, document),
    ]),
  );
}

function readQueryValue(path: string, type: FieldType, value: unknown, nowMs: number): FieldValue {
  const read = readValue(type, value, nowMs);
  if (read !== undefined) return read;
  throw new SearchError(
    'query_shard_exception',
    `failed to create query: cannot read [${String(value)}] as a value of [${path}]`,
  );
}

function matching(
  index: SearchIndex,
  test: (document: IndexedDocument) => boolean,
): IndexedDocument[] {
  return [...index.documents.values()].filter(test);
}

function constant(documents: readonly IndexedDocument[]): Matches {
  return new Map(documents.map((document) => [document, 1]));
}
