const LATIN_WORD = /[\p{Script=Latin}0]+(?:'\p{Script=Latin}+)?/gu;
const UNSPACED_RUN = /[^\p{Script=Latin}\p{Number}\p{Punctuation}\p{Separator}\p{Symbol}]+/gu;

/** Lengths of the character runs inside Latin words: endings and stems say much of a verb. */
const INSIDE_WORDS = [3, 4, 5];
/** Lengths of the character runs of scripts that do not separate words. */
const UNSPACED = [1, 2, 3];

/**
 * The features of an utterance: words, pairs of words and runs inside words for Latin script, runs
 * of characters for scripts that do not separate words.
 */
export function utteranceFeatures(text: string): ReadonlySet<string> {
  const normal = normalize(text);
  const words = normal.match(LATIN_WORD) ?? [];
  const pairs = words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`);
  return new Set([
    ...words,
    ...pairs,
    ...words.flatMap((word) => runs(`<${word}>`, INSIDE_WORDS)),
    ...(normal.match(UNSPACED_RUN) ?? []).flatMap((run) => runs(run, UNSPACED)),
  ]);
}

// One volume or order number is as good as another, so every number is 0.
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\p{Number}+/gu, '0');
}

function runs(text: string, lengths: readonly number[]): string[] {
  const characters = Array.from(text);
  return lengths.flatMap((length) =>
    Array.from({ length: Math.max(characters.length - length + 1, 0) }, (_, start) =>
      characters.slice(start, start + length).join(''),
    ),
  );
}
