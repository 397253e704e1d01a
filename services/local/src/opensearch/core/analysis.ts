/** Scripts written without spaces between words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\u30fc\\u3005';
const SEGMENT = new RegExp(
  `[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+(?:['’](?:(?![${UNSPACED}])[\\p{L}\\p{N}])+)*`,
  'gu',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/**
 * The terms of a text, in order: folded to one width and case, words as they are, unspaced scripts as
 * overlapping pairs of characters (a lone character stays alone).
 */
export function analyze(text: string): readonly string[] {
  const segments = text.normalize('NFKC').toLowerCase().match(SEGMENT) ?? [];
  return segments.flatMap((segment) =>
    STARTS_UNSPACED.test(segment) ? pairs(Array.from(segment)) : [segment.replaceAll('’', "'")],
  );
}

function pairs(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters];
  return characters.slice(1).map((second, index) => `${characters[index] ?? ''}${second}`);
}
