/** What a stream of server-sent events says, piece by piece. */
export type SseItem =
  { readonly kind: 'data'; readonly data: string } | { readonly kind: 'comment' };

/** Cuts a stream into its events, however its bytes arrive. */
export class SseReader {
  #rest = '';

  /** The events that are complete now. */
  take(text: string): SseItem[] {
    const blocks = `${this.#rest}${text}`.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap(itemsOf);
  }

  /** What came of an event whose end did not. */
  get unfinished(): string {
    return this.#rest;
  }
}

function itemsOf(block: string): SseItem[] {
  const lines = block.split('\n');
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
  if (data.length > 0) return [{ kind: 'data', data: data.join('\n') }];
  return lines.some((line) => line.startsWith(':')) ? [{ kind: 'comment' }] : [];
}
