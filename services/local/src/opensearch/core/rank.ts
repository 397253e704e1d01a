import type { Matches } from './evaluate-term';
import type { IndexedDocument } from './indexed-document';

/** The best matches first; of equal scores the older document comes first. */
export function rank(
  matches: Matches,
  limit = Infinity,
): readonly (readonly [IndexedDocument, number])[] {
  return [...matches]
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a.ordinal - b.ordinal)
    .slice(0, limit);
}
