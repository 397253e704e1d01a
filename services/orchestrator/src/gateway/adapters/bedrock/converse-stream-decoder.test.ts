import fc from 'fast-check';

import type { ModelEvent } from '../../core/model-event';
import { ModelCallError } from '../../ports';
import { ConverseStreamDecoder } from './converse-stream-decoder';
import { ANSWER_FRAMES, event, exception, frame } from './test/frames';

interface Decoded {
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
}

/** Decodes a stream to its end or its fault. */
function decode(...chunks: readonly Buffer[]): Decoded {
  const decoder = new ConverseStreamDecoder();
  const events: ModelEvent[] = [];
  try {
    for (const chunk of chunks) decoder.read(chunk, events);
    decoder.end();
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

const ANSWER: readonly ModelEvent[] = [
  { type: 'start' },
  { type: 'text', index: 0, text: '祭り' },
  { type: 'text', index: 0, text: ' 🎏' },
  { type: 'block-stop', index: 0 },
  { type: 'tool-start', index: 1, id: 't1', name: 'find' },
  { type: 'tool-input', index: 1, json: '{"q":' },
  { type: 'tool-input', index: 1, json: '1}' },
  { type: 'block-stop', index: 1 },
  { type: 'stop', reason: 'tool-use' },
  {
    type: 'usage',
    usage: { inputTokens: 5, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 },
  },
];
const TEXT = ANSWER_FRAMES.slice(0, 3);
const STOP = event('messageStop', { stopReason: 'end_turn' });

test('an answer is the same in one piece and in bytes', () => {
  const whole = Buffer.concat(ANSWER_FRAMES);
  const bytes = Array.from(whole, (byte) => Buffer.from([byte]));
  expect(decode(whole)).toEqual({ events: ANSWER, error: undefined });
  expect(decode(...bytes)).toEqual({ events: ANSWER, error: undefined });
});

test('thoughts are events, their signatures are not', () => {
  const thought = { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } };
  const signature = { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'c2ln' } } };
  const { events } = decode(
    event('contentBlockDelta', thought),
    event('contentBlockDelta', signature),
  );
  expect(events).toEqual([{ type: 'thinking', index: 0, text: 'Hm.' }]);
});

test('events, deltas and blocks that are new to us are passed over', () => {
  const { events, error } = decode(
    event('contentBlockWeather', { forecast: 'sunny' }),
    event('contentBlockDelta', { contentBlockIndex: 0, delta: { smell: 'sea' } }),
    event('contentBlockStart', { contentBlockIndex: 0, start: { image: {} } }),
    event('metadata', { trace: {} }),
    STOP,
  );
  expect({ events, error }).toEqual({
    events: [{ type: 'stop', reason: 'end' }],
    error: undefined,
  });
});

test('an answer stops once, whatever it says', () => {
  expect(decode(STOP, STOP).events).toEqual([{ type: 'stop', reason: 'end' }]);
});

test('an answer may lack its usage but not its end', () => {
  expect(decode(...TEXT, STOP).error).toBeUndefined();
  expect(decode(...TEXT).error).toMatchObject({ failure: 'unavailable' });
  expect(decode().error).toMatchObject({ failure: 'unavailable' });
});

test.each([
  ['throttlingException', 'throttled'],
  ['modelStreamErrorException', 'unavailable'],
  ['validationException', 'invalid-request'],
])('%s ends the answer as %s, behind what came before it', (type, failure) => {
  const { events, error } = decode(Buffer.concat([...TEXT, exception(type, 'enough')]));
  expect(events).toEqual(ANSWER.slice(0, 3));
  expect(error).toMatchObject({ failure, message: expect.stringContaining('enough') as string });
});

test('an error outside the model of the service is unavailability', () => {
  const headers = { ':message-type': 'error', ':error-code': 'Oops', ':error-message': 'sorry' };
  expect(decode(frame(headers, '')).error).toMatchObject({
    failure: 'unavailable',
    message: 'Oops: sorry',
  });
});

test.each([
  ['JSON that stops halfway', event('contentBlockDelta', '{"contentBlockIndex":0,"delta":{"te')],
  ['a frame of no kind', frame({ ':content-type': 'application/json' }, '{}')],
  ['half a frame', event('messageStart', {}).subarray(0, 40)],
])('%s is a broken reply', (_, bytes) => {
  expect(decode(bytes).error).toMatchObject({ failure: 'unavailable' });
});

test('bytes that are not UTF-8 become U+FFFD, as in the SDK', () => {
  const payload = Buffer.concat([
    Buffer.from('{"contentBlockIndex":0,"delta":{"text":"'),
    Buffer.from([0xe7, 0xa5, 0x20, 0xff]),
    Buffer.from('"}}'),
  ]);
  const headers = { ':event-type': 'contentBlockDelta', ':message-type': 'event' };
  expect(decode(frame(headers, payload)).events).toEqual([
    { type: 'text', index: 0, text: '\ufffd \ufffd' },
  ]);
});

test('whatever JSON an event holds, the outcome is events or our error', () => {
  const types = ANSWER_TYPES.map((type) => fc.constant(type));
  fc.assert(
    fc.property(fc.oneof(...types), fc.json({ maxDepth: 4 }), (type, json) => {
      const { error } = decode(event(type, json));
      expect(error === undefined || error instanceof ModelCallError).toBe(true);
    }),
  );
});

const ANSWER_TYPES = [
  'messageStart',
  'contentBlockStart',
  'contentBlockDelta',
  'contentBlockStop',
  'messageStop',
  'metadata',
];
