/** Which documents hold a term of one field, and how often; generic over what a document is. */
export interface TermIndex<Document> {
  /** Documents that have the field. */
  readonly documents: number;
  /** Terms of the field over all documents. */
  readonly totalTerms: number;
  occurrences(term: string): ReadonlyMap<Document, number>;
  lengthOf(document: Document): number;
}

export interface WritableTermIndex<Document> extends TermIndex<Document> {
  add(document: Document, terms: readonly string[]): void;
  remove(document: Document): void;
}

export function termIndex<Document>(): WritableTermIndex<Document> {
  const postings = new Map<string, Map<Document, number>>();
  const termsOf = new Map<Document, readonly string[]>();
  const nowhere: ReadonlyMap<Document, number> = new Map();
  let totalTerms = 0;

  return {
    get documents() {
      return termsOf.size;
    },
    get totalTerms() {
      return totalTerms;
    },
    occurrences: (term) => postings.get(term) ?? nowhere,
    lengthOf: (document) => termsOf.get(document)?.length ?? 0,
    add(document, terms) {
      termsOf.set(document, terms);
      totalTerms += terms.length;
      for (const term of terms) {
        const holders = postings.get(term) ?? new Map<Document, number>();
        holders.set(document, (holders.get(document) ?? 0) + 1);
        postings.set(term, holders);
      }
    },
    remove(document) {
      const terms = termsOf.get(document) ?? [];
      termsOf.delete(document);
      totalTerms -= terms.length;
      for (const term of new Set(terms)) {
        const holders = postings.get(term);
        holders?.delete(document);
        if (holders?.size === 0) postings.delete(term);
      }
    },
  };
}
