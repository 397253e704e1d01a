import { growMapping, indexDocument } from './indexed-document';
import type { IndexedDocument } from './indexed-document';
import type { Mapping } from './mapping';
import type { JsonObject } from './search-error';
import { termIndex } from './term-index';
import type { TermIndex, WritableTermIndex } from './term-index';

/** The documents of one index, ready to be searched. Writing changes it in place. */
export interface SearchIndex {
  readonly name: string;
  readonly mapping: Mapping;
  readonly documents: ReadonlyMap<string, IndexedDocument>;
  /** Where the terms of a text or keyword field occur; `undefined` when no document has the field. */
  termsOf(path: string): TermIndex<IndexedDocument> | undefined;
  /** Puts a document in the place of the one with its id; throws when the mapping refuses it. */
  put(id: string, source: JsonObject): { readonly created: boolean; readonly version: number };
  /** False when there was no such document. */
  remove(id: string): boolean;
}

export function searchIndex(name: string, initialMapping: Mapping): SearchIndex {
  let mapping = initialMapping;
  let arrivals = 0;
  const documents = new Map<string, IndexedDocument>();
  const terms = new Map<string, WritableTermIndex<IndexedDocument>>();

  const forget = (document: IndexedDocument): void => {
    documents.delete(document.id);
    for (const index of terms.values()) index.remove(document);
  };

  const learn = (document: IndexedDocument): void => {
    documents.set(document.id, document);
    for (const [path, words] of searchableTerms(document)) {
      const index = terms.get(path) ?? termIndex<IndexedDocument>();
      index.add(document, words);
      terms.set(path, index);
    }
  };

  return {
    name,
    documents,
    get mapping() {
      return mapping;
    },
    termsOf: (path) => terms.get(path),
    put(id, source) {
      const grown = growMapping(mapping, source);
      const previous = documents.get(id);
      const version = (previous?.version ?? 0) + 1;
      const document = indexDocument(grown, { id, ordinal: arrivals, version }, source);
      // Nothing is changed before everything about the document is known to be right.
      mapping = grown;
      arrivals += 1;
      if (previous) forget(previous);
      learn(document);
      return { created: previous === undefined, version };
    },
    remove(id) {
      const document = documents.get(id);
      if (document) forget(document);
      return document !== undefined;
    },
  };
}

function* searchableTerms({
  terms,
  values,
}: IndexedDocument): Generator<[string, readonly string[]]> {
  yield* terms;
  for (const [path, exact] of values) {
    const words = exact.filter((value) => typeof value === 'string');
    if (words.length > 0) yield [path, [...new Set(words)]];
  }
}
