/** What announces a delta with text in it on each wire. */
const MARKS = {
  // An empty text is what opens an OpenAI stream; it is no content yet.
  openai: { mark: Buffer.from('"content":"'), emptyEnd: '"'.charCodeAt(0) },
  converse: { mark: Buffer.from('contentBlockDelta'), emptyEnd: undefined },
} as const;

export type Wire = keyof typeof MARKS;

const NOTHING = Buffer.alloc(0);

/** Counts the text deltas of a stream as its bytes arrive, wherever the network cuts them. */
export class ContentCounter {
  count = 0;
  private rest: Buffer = NOTHING;

  constructor(private readonly wire: Wire) {}

  take(chunk: Buffer): void {
    const { mark, emptyEnd } = MARKS[this.wire];
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, from)) {
      const after = bytes[at + mark.length];
      if (after === undefined) {
        this.rest = bytes.subarray(at);
        return;
      }
      if (after !== emptyEnd) this.count += 1;
      from = at + mark.length;
    }
    this.rest = bytes.subarray(Math.max(from, bytes.length - mark.length + 1));
  }
}
