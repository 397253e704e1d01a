import { estimateTextTokens } from '../../../gateway/core/openai/estimate-text-tokens';

const ELLIPSIS = '…';

/** The beginning of a text that fits so many tokens; whole when it fits. */
export function clipText(text: string, maxTokens: number): string {
  if (estimateTextTokens(text) <= maxTokens) return text;
  let fits = 0;
  let tooMany = text.length;
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (estimateTextTokens(text.slice(0, middle) + ELLIPSIS) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  // Half of a surrogate pair is no character.
  return fits === 0
    ? ''
    : text
        .slice(0, fits)
        .toWellFormed()
        .replace(/\ufffd$/, '') + ELLIPSIS;
}
