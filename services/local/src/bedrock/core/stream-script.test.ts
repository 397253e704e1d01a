import { EventStreamCodec } from '@smithy/eventstream-codec';
import { fromUtf8, toUtf8 } from '@smithy/util-utf8';
import fc from 'fast-check';

import { BEDROCK_SCRIPTS, OK_SCRIPT, parseScriptHeader } from './scripts';
import { dripped } from './slow-steps';
import { answerFrames } from './stream-frames';
import { scriptStream } from './stream-script';
import type { TimedFrame } from './stream-script';

const codec = new EventStreamCodec(toUtf8, fromUtf8);

function framesOf(tokens: readonly string[]): TimedFrame[] {
  const answer = answerFrames({
    blocks: [{ kind: 'text', tokens }],
    outputTokens: tokens.length,
    stopReason: 'end_turn',
    seed: 0,
  });
  return answer.map((frame, index) => ({ ...frame, atMs: index }));
}

test('every event of an answer is readable by the codec of the SDK, and its tokens add up', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (tokens) => {
      const deltas = framesOf(tokens)
        .map(({ bytes }) => codec.decode(bytes))
        .filter(({ headers }) => headers[':event-type']?.value === 'contentBlockDelta')
        .map(({ body }) => JSON.parse(toUtf8(body)) as { delta: { text: string } });
      expect(deltas.map(({ delta }) => delta.text)).toEqual(tokens);
    }),
  );
});

const MISCHIEF = BEDROCK_SCRIPTS.filter(({ phase }) => phase === 'frames').map(({ name }) => name);
const ENDLESS = ['trickle-metadata'];

test.each(MISCHIEF)(
  '%s never emits more tokens than the answer has, whatever its length',
  (name) => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(40), (length, afterTokens) => {
        const frames = framesOf(Array.from({ length }, (_, n) => `t${n}`));
        const { steps } = scriptStream(frames, { ...OK_SCRIPT, name, afterTokens });
        const emitted = [...steps].reduce((sum, { tokens }) => sum + tokens, 0);
        expect(emitted).toBeLessThanOrEqual(length);
      }),
    );
  },
);

test('steps of every script that ends are in the order of time', () => {
  for (const { name } of BEDROCK_SCRIPTS.filter((script) => !ENDLESS.includes(script.name))) {
    const { steps } = scriptStream(framesOf(['a', 'b', 'c']), { ...OK_SCRIPT, name });
    const times = [...steps].map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

test('dripping keeps every byte and every token', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 })),
      fc.integer({ min: 1, max: 5_000 }),
      (parts, rate) => {
        const steps = parts.map((part) => ({ atMs: 0, bytes: Buffer.from(part), tokens: 1 }));
        const slow = [...dripped(steps, rate)];
        expect(Buffer.concat(slow.map(({ bytes }) => bytes))).toEqual(Buffer.concat(parts));
        expect(slow.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(parts.length);
      },
    ),
  );
});

test('one byte a second is one byte a second', () => {
  const times = [...dripped([{ atMs: 0, bytes: Buffer.from('abc'), tokens: 1 }], 1)].map(
    ({ atMs }) => atMs,
  );
  expect(times).toEqual([0, 1_000, 2_000]);
});

test('a header names a script and what it is told', () => {
  expect(parseScriptHeader('slow-loris; bytesPerSecond=7; text=a%3Bb')).toMatchObject({
    name: 'slow-loris',
    bytesPerSecond: 7,
    text: 'a;b',
  });
  expect(() => parseScriptHeader('ok; afterTokns=7')).toThrow(/afterTokns/);
});
