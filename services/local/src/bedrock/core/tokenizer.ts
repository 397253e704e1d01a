/**
 * The stand-in's tokens. Letters and digits of alphabets go four to a token, a single space before
 * them included; a run of other white space is one token; everything else (kanji, kana, signs,
 * emoji) is one token per code point. Joined, the tokens are the text again.
 */
const LONGEST_PIECE = 4;

const SPACE = 0x20;

/** Splits a text into its tokens. */
export function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = tokenEnd(text, start);
    tokens.push(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** Counts the tokens of a text without building them. */
export function countTokens(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; start = tokenEnd(text, start)) count += 1;
  return count;
}

function tokenEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (isAlphabetic(first)) return pieceEnd(text, start);
  if (first === SPACE && isAlphabetic(text.charCodeAt(start + 1))) return pieceEnd(text, start + 1);
  if (isBlank(first)) return blankEnd(text, start);
  return start + (isPair(first, text.charCodeAt(start + 1)) ? 2 : 1);
}

function pieceEnd(text: string, start: number): number {
  let end = start + 1;
  while (end - start < LONGEST_PIECE && isAlphabetic(text.charCodeAt(end))) end += 1;
  return end;
}

function blankEnd(text: string, start: number): number {
  let end = start + 1;
  while (isBlank(text.charCodeAt(end))) {
    // The last space before a word belongs to the word.
    if (text.charCodeAt(end) === SPACE && isAlphabetic(text.charCodeAt(end + 1))) break;
    end += 1;
  }
  return end;
}

// Past the end charCodeAt answers NaN, for which all of these are false.
function isAlphabetic(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0xc0 && code <= 0x52f && code !== 0xd7 && code !== 0xf7)
  );
}

function isBlank(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d);
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
