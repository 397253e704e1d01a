import type { TermIndex } from './term-index';

/** How soon a repeated term stops counting. */
const K1 = 1.2;
/** How much long fields are held back. */
const B = 0.75;

/**
 * Lucene's BM25 of a term in one document:
 * `ln(1 + (N - n + 0.5) / (n + 0.5)) × f / (f + k1 × (1 - b + b × length / average))`
 * for a term that occurs f times here and in n of the N documents that have the field.
 */
export function bm25<Document>(
  index: TermIndex<Document>,
  term: string,
  document: Document,
): number {
  const occurrences = index.occurrences(term);
  const frequency = occurrences.get(document) ?? 0;
  if (frequency === 0) return 0;
  const relativeLength = index.lengthOf(document) / (index.totalTerms / index.documents);
  return rarity(index, term) * saturation(frequency, 1 - B + B * relativeLength);
}

/** The same for an exact value, which has neither length nor repetition. */
export function bm25Exact<Document>(index: TermIndex<Document>, term: string): number {
  return rarity(index, term) * saturation(1, 1);
}

function rarity<Document>(index: TermIndex<Document>, term: string): number {
  const holders = index.occurrences(term).size;
  return Math.log(1 + (index.documents - holders + 0.5) / (holders + 0.5));
}

function saturation(frequency: number, lengthNorm: number): number {
  return frequency / (frequency + K1 * lengthNorm);
}
