import { inlineOf } from './markdown-inline';
import type { Inline } from './markdown-inline';
import { visibleText } from './visible-text';

/** A small part of Markdown, as data. There is no kind of node that could load, run or style anything. */
export type Block =
  | { readonly kind: 'paragraph'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'heading'; readonly content: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: 'quote'; readonly lines: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string };

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^ {0,3}[-*+]\s+(.*)$/;
const NUMBERED = /^ {0,3}\d{1,9}[.)]\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;

/** Reads an answer, whole or as far as it has come: what is not finished yet is text. */
export function markdown(source: string): readonly Block[] {
  const lines = visibleText(source).split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

type Read = readonly [Block | undefined, number];

function blockAt(lines: readonly string[], at: number): Read {
  const line = lines[at] ?? '';
  if (line.trim() === '') return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return codeAt(lines, at, fence);
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return [{ kind: 'heading', content: inlineOf(heading) }, at + 1];
  const list = [BULLET, NUMBERED].find((pattern) => pattern.test(line));
  if (list !== undefined) {
    const [items, next] = matching(lines, at, list);
    return [{ kind: 'list', ordered: list === NUMBERED, items: items.map(inlineOf) }, next];
  }
  if (QUOTE.test(line)) {
    const [quoted, next] = matching(lines, at, QUOTE);
    return [{ kind: 'quote', lines: quoted.map(inlineOf) }, next];
  }
  const end = lines.findIndex((each, index) => index > at && startsAnew(each));
  const next = end === -1 ? lines.length : end;
  return [{ kind: 'paragraph', lines: lines.slice(at, next).map(inlineOf) }, next];
}

function startsAnew(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, BULLET, NUMBERED, QUOTE].some((p) => p.test(line));
}

function matching(lines: readonly string[], from: number, pattern: RegExp): [string[], number] {
  const found: string[] = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const text = pattern.exec(lines[at] ?? '')?.[1];
    if (text === undefined) break;
    found.push(text);
  }
  return [found, at];
}

function codeAt(lines: readonly string[], at: number, fence: string): Read {
  const end = lines.findIndex((line, index) => index > at && line.trim().startsWith(fence));
  const last = end === -1 ? lines.length : end;
  return [{ kind: 'code', text: lines.slice(at + 1, last).join('\n') }, last + 1];
}
