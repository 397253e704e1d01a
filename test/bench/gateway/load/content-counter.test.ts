import { ContentCounter } from './content-counter';
import type { Wire } from './content-counter';

const OPENAI_STREAM = Buffer.from(
  [
    'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n',
    'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n',
    'data: {"choices":[{"delta":{"content":" \\"content\\":\\"there"}}]}\n\n',
    'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  ].join(''),
);

function countIn(wire: Wire, chunks: readonly Buffer[]): number {
  const counter = new ContentCounter(wire);
  chunks.forEach((chunk) => counter.take(chunk));
  return counter.count;
}

test('counts deltas with text, not the empty one that opens a stream, nor what a model quotes', () => {
  expect(countIn('openai', [OPENAI_STREAM])).toBe(2);
});

test('counts the same wherever the network cuts', () => {
  for (let cut = 1; cut < OPENAI_STREAM.length; cut += 1) {
    const chunks = [OPENAI_STREAM.subarray(0, cut), OPENAI_STREAM.subarray(cut)];
    expect({ cut, count: countIn('openai', chunks) }).toEqual({ cut, count: 2 });
  }
  const bytes = Array.from(OPENAI_STREAM, (byte) => Buffer.of(byte));
  expect(countIn('openai', bytes)).toBe(2);
});

test('counts the events of a Converse stream by their name', () => {
  const frames = '\x0b:event-type\x07\x00\x11contentBlockDelta{"delta":{"text":"a"}}'.repeat(3);
  expect(countIn('converse', [Buffer.from(frames, 'latin1')])).toBe(3);
});
