import { analyze } from './analysis';
import { NO_MATCHES, matchTerm, scoreTerm } from './evaluate-term';
import type { Matches } from './evaluate-term';
import type { IndexedDocument } from './indexed-document';
import { requiredClauses } from './minimum-should-match';
import { fitsPattern } from './name-pattern';
import type { FieldBoost, MatchOptions } from './query';
import type { SearchIndex } from './search-index';

/** Documents whose text field holds the words, or enough of them; the scores of the words add up. */
export function matchWords(
  index: SearchIndex,
  path: string,
  options: MatchOptions,
  nowMs: number,
): Matches {
  const type = index.mapping.fields.get(path)?.type;
  if (type === undefined) return NO_MATCHES;
  if (type.kind !== 'text') return matchTerm(index, path, options.text, nowMs);

  const words = [...new Set(analyze(options.text))];
  const found = sumOf(words.map((word) => scoreTerm(index, path, word, false)));
  const required =
    options.operator === 'and'
      ? words.length
      : Math.max(requiredClauses(options.minimumShouldMatch ?? 1, words.length), 1);
  return new Map(
    [...found].flatMap(([document, { score, clauses }]) =>
      clauses >= required ? [[document, score] as const] : [],
    ),
  );
}

/** The words in several fields: the best field's score (and a share of the others), or their sum. */
export function matchWordsInFields(
  index: SearchIndex,
  fields: readonly FieldBoost[],
  options: MatchOptions & {
    readonly combine: 'best_fields' | 'most_fields';
    readonly tieBreaker: number;
  },
  nowMs: number,
): Matches {
  const perField = expand(index, fields).map(({ path, boost }) =>
    boosted(matchWords(index, path, options, nowMs), boost),
  );
  const share = options.combine === 'most_fields' ? 1 : options.tieBreaker;
  return new Map(
    [...sumOf(perField)].map(([document, { score, best }]) => [
      document,
      best + share * (score - best),
    ]),
  );
}

export function boosted(matches: Matches, boost: number): Matches {
  if (boost === 1) return matches;
  return new Map([...matches].map(([document, score]) => [document, score * boost]));
}

interface Sum {
  readonly score: number;
  readonly best: number;
  /** How many of the clauses matched. */
  readonly clauses: number;
}

/** The union of several matches. */
export function sumOf(all: readonly Matches[]): ReadonlyMap<IndexedDocument, Sum> {
  const sums = new Map<IndexedDocument, Sum>();
  for (const matches of all) {
    for (const [document, score] of matches) {
      const so = sums.get(document) ?? { score: 0, best: 0, clauses: 0 };
      sums.set(document, {
        score: so.score + score,
        best: Math.max(so.best, score),
        clauses: so.clauses + 1,
      });
    }
  }
  return sums;
}

function expand({ mapping }: SearchIndex, fields: readonly FieldBoost[]): readonly FieldBoost[] {
  return fields.flatMap(({ path, boost }) => {
    if (!path.includes('*')) return [{ path, boost }];
    return [...mapping.fields]
      .filter(([name, { type }]) => isWords(type.kind) && fitsPattern(path, name))
      .map(([name]) => ({ path: name, boost }));
  });
}

const isWords = (kind: string): boolean => kind === 'text' || kind === 'keyword';
