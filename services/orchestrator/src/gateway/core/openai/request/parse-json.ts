/** More structure than any request has; parsing it would hold up everybody else for seconds. */
const MOST_DEPTH = 128;
const MOST_VALUES = 100_000;
/** So short a text is parsed before anybody notices, whatever it holds. */
const HARMLESS_LENGTH = 16_384;

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: 'malformed' | 'too-complex' };

/** Parses JSON of a stranger. A look over its brackets and commas comes first, which costs far less than parsing. */
export function parseJson(text: string): ParsedJson {
  if (isTooComplex(text)) return { ok: false, fault: 'too-complex' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, fault: 'malformed' };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isTooComplex(text: string): boolean {
  if (text.length <= HARMLESS_LENGTH) return false;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MOST_DEPTH || values > MOST_VALUES) return true;
  }
  return false;
}

/** Where the string that begins at `start` ends: at the next quote that no backslash takes away. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (first - 1 > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}
