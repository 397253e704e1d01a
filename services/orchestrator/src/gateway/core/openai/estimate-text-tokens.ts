/**
 * Estimates tokens by the kinds of characters, rather too many than too few. A word costs a token to begin and
 * a share for each further letter; digits and capitals inside it begin anew, which makes hashes, base64 and
 * camelCase as dear as they are. Signs, and scripts without an alphabet, are paid by the character. A space
 * before a word is free, other white space costs a token a run. The sum only ever grows with the text.
 */
const KINDS = ['lower', 'accented', 'upper', 'digit', 'sign', 'foreign', 'space', 'blank'] as const;

type Kind = (typeof KINDS)[number];

/** Costs are whole sixteenths of a token: sums of whole numbers do not drift. */
const TOKEN = 16;

const FURTHER_COST: Readonly<Record<Kind, number>> = {
  lower: 4,
  accented: 8,
  upper: 8,
  digit: 8,
  sign: 16,
  foreign: 20,
  space: 1,
  blank: 1,
};

function isLetter(kind: Kind): boolean {
  return kind === 'lower' || kind === 'accented' || kind === 'upper';
}

function isWord(kind: Kind): boolean {
  return isLetter(kind) || kind === 'digit';
}

function isBlank(kind: Kind): boolean {
  return kind === 'space' || kind === 'blank';
}

/** What a character costs after one of another kind. */
function stepCost(previous: Kind, kind: Kind): number {
  if (isWord(kind)) return continuesWord(previous, kind) ? FURTHER_COST[kind] : TOKEN;
  // A space that no word took along is paid for by what follows it.
  const unpaidSpace = previous === 'space' ? TOKEN : 0;
  if (!isBlank(kind)) return unpaidSpace + FURTHER_COST[kind];
  if (isBlank(previous)) return unpaidSpace + FURTHER_COST[kind];
  return kind === 'space' ? 0 : TOKEN;
}

function continuesWord(previous: Kind, kind: Kind): boolean {
  if (kind === 'digit') return previous === 'digit';
  return kind === 'upper' ? previous === 'upper' : isLetter(previous);
}

function kindOf(code: number): Kind {
  const character = String.fromCharCode(code);
  if (character === ' ') return 'space';
  if (code < 0x80) return kindOfAscii(character);
  // Latin with accents, Greek, Cyrillic; two signs stand among them.
  const isAlphabetic = code >= 0xc0 && code <= 0x52f && code !== 0xd7 && code !== 0xf7;
  return isAlphabetic ? 'accented' : 'foreign';
}

function kindOfAscii(character: string): Kind {
  if (/[a-z]/.test(character)) return 'lower';
  if (/[A-Z]/.test(character)) return 'upper';
  if (/[0-9]/.test(character)) return 'digit';
  return /\s/.test(character) ? 'blank' : 'sign';
}

// The rules as tables: the loop below runs over every character of every prompt.
const KIND_OF = Uint8Array.from({ length: 0x1_0000 }, (_, code) => KINDS.indexOf(kindOf(code)));
const COST_OF_STEP = Uint8Array.from(
  KINDS.flatMap((previous) => KINDS.map((kind) => stepCost(previous, kind))),
);
// The second of two blanks is no longer a lone space.
const STATE_AFTER_STEP = Uint8Array.from(
  KINDS.flatMap((previous) =>
    KINDS.map((kind) => KINDS.indexOf(isBlank(previous) && isBlank(kind) ? 'blank' : kind)),
  ),
);

const START = KINDS.indexOf('sign');
const LONE_SPACE = KINDS.indexOf('space');

/** Tokens of a text: deterministic, never negative, never less for a longer text. */
export function estimateTextTokens(text: string): number {
  let cost = 0;
  let state = START;
  for (let at = 0; at < text.length; at += 1) {
    const step = state * KINDS.length + (KIND_OF[text.charCodeAt(at)] ?? 0);
    cost += COST_OF_STEP[step] ?? 0;
    state = STATE_AFTER_STEP[step] ?? 0;
  }
  if (state === LONE_SPACE) cost += TOKEN;
  return Math.ceil(cost / TOKEN);
}
