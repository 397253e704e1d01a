/** A run of text within a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'emphasis'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** Only http and https, and only followed by a person's own click. */
  | { readonly kind: 'link'; readonly text: string; readonly url: string }
  /** `[2]`: the second source of the answer. */
  | { readonly kind: 'citation'; readonly number: number };

/** One pattern per kind; the leftmost match wins, then the first of these. */
const PATTERNS: readonly (readonly [RegExp, (match: RegExpExecArray) => Inline | undefined])[] = [
  [/`([^`\n]+)`/, ([, text = '']) => ({ kind: 'code', text })],
  // An image would fetch its address without being asked: it is offered as a link instead.
  [/!?\[([^\]\n]{0,200})\]\(([^\s()<>]{1,2000})\)/, ([, text = '', url = '']) => link(text, url)],
  [/\[(\d{1,2})\]/, ([, number]) => ({ kind: 'citation', number: Number(number) })],
  [/\*\*([^*\n]+)\*\*/, ([, text = '']) => ({ kind: 'strong', text })],
  [/\*([^*\s][^*\n]*)\*/, ([, text = '']) => ({ kind: 'emphasis', text })],
];

export function inlineOf(line: string): readonly Inline[] {
  const runs: Inline[] = [];
  let rest = line;
  while (rest !== '') {
    const [index, length, run] = firstMatch(rest);
    if (index > 0) runs.push({ kind: 'text', text: rest.slice(0, index) });
    if (run !== undefined) runs.push(run);
    rest = rest.slice(index + length);
  }
  return runs;
}

function firstMatch(text: string): readonly [number, number, Inline | undefined] {
  let best: readonly [number, number, Inline | undefined] = [text.length, 0, undefined];
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null || match.index >= best[0]) continue;
    const run = make(match) ?? { kind: 'text', text: match[0] };
    best = [match.index, match[0].length, run];
  }
  return best;
}

function link(text: string, address: string): Inline | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  return { kind: 'link', text: text === '' ? url.host : text, url: url.href };
}
