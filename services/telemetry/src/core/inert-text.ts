/** Whether line breaks and tabs stay (a JSON string, a stack) or are shown as escapes (one line on a terminal). */
export type LineBreaks = 'keep' | 'escape';

// Terminal commands (C0, DEL, C1), characters that reorder text, and Unicode's own line breaks.
const ACTIVE = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Shows every character that could act on a terminal or forge a line as a visible escape. */
export function inertText(text: string, lineBreaks: LineBreaks): string {
  return text.replace(ACTIVE, (character) => {
    if (lineBreaks === 'keep' && (character === '\n' || character === '\t')) return character;
    return NAMED[character] ?? visibleEscape(character);
  });
}

function visibleEscape(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
