import { inertText } from './inert-text';
import type { Walk } from './redaction-walk';
import { LONGEST_DELIMITED_SECRET, scrubSecrets } from './scrub-text';

/** Scrubbed, inert, and no longer than allowed; what was cut off is counted. */
export function boundedText(text: string, walk: Walk, limit = walk.limits.stringChars): string {
  const room = Math.max(0, Math.min(limit, walk.charsLeft));
  const shown = inertText(scrubHead(text, room, walk.showPrompts), 'keep');
  walk.charsLeft -= shown.length;
  return shown;
}

/**
 * A secret must not survive because the cut fell into its middle: text is scrubbed with a margin
 * longer than any secret that is known by its end, and the margin is dropped afterwards.
 */
function scrubHead(text: string, room: number, showPrompts: boolean): string {
  const head = text.slice(0, room + LONGEST_DELIMITED_SECRET);
  const scrubbed = scrubSecrets(head, showPrompts);
  if (head.length === text.length && scrubbed.length <= room) return scrubbed;

  const certain = scrubbed.length - (head.length < text.length ? LONGEST_DELIMITED_SECRET : 0);
  const kept = Math.max(0, Math.min(room, certain));
  return `${scrubbed.slice(0, kept)}…[${String(text.length)} chars]`;
}
