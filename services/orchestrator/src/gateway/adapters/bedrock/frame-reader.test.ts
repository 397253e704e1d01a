import { toUtf8 } from '@smithy/util-utf8';
import fc from 'fast-check';

import { ModelCallError } from '../../ports';
import { FrameReader, MOST_FRAME_BYTES } from './frame-reader';
import type { EventFrame } from './frame-reader';
import { ANSWER_FRAMES, event, frame, sdkCodec, sealed } from './test/frames';

const EVENT = event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'word' } });

function framesOf(...chunks: readonly Buffer[]): EventFrame[] {
  const reader = new FrameReader();
  const frames: EventFrame[] = [];
  for (const chunk of chunks) reader.read(chunk, (it) => frames.push(it));
  return frames;
}

/** A prelude that claims a length, its checksum true. */
function prelude(length: number, headerLength = 0): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(headerLength, 4);
  return sealed(bytes).subarray(0, 12);
}

test('a frame gives what its headers and payload say', () => {
  expect(framesOf(EVENT)).toMatchObject([
    {
      headers: { messageType: 'event', eventType: 'contentBlockDelta' },
      payload: '{"contentBlockIndex":0,"delta":{"text":"word"}}',
    },
  ]);
});

const headerName = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
const anyFrame = fc
  .record({
    headers: fc.dictionary(headerName, fc.string({ unit: 'grapheme', maxLength: 40 }), {
      maxKeys: 6,
    }),
    type: fc.string({ maxLength: 10 }),
    payload: fc.uint8Array({ maxLength: 200 }),
  })
  .map(({ headers, type, payload }) => frame({ ...headers, ':event-type': type }, payload));

/** The same bytes, cut anywhere. */
function slices(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

test('reads what the SDK reads, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat()),
      (frames, cuts) => {
        const ours = framesOf(...slices(Buffer.concat(frames), cuts));
        const sdks = frames.map((bytes) => sdkCodec.decode(bytes));
        expect(ours.map(({ payload }) => payload)).toEqual(sdks.map(({ body }) => toUtf8(body)));
        expect(ours.map(({ headers }) => headers.eventType)).toEqual(
          sdks.map(({ headers }) => headers[':event-type']?.value),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('a stream may end between frames only', () => {
  const reader = new FrameReader();
  reader.read(EVENT, () => undefined);
  expect(reader.isBetweenFrames()).toBe(true);
  reader.read(EVENT.subarray(0, 30), () => undefined);
  expect(reader.isBetweenFrames()).toBe(false);
  reader.read(EVENT.subarray(30), () => undefined);
  expect(reader.isBetweenFrames()).toBe(true);
});

test.each([
  ['a frame of 2^31 bytes', prelude(2 ** 31)],
  ['a frame of 2^32 - 1 bytes', prelude(2 ** 32 - 1)],
  ['a frame one byte too long', prelude(MOST_FRAME_BYTES + 1)],
  ['a frame too short to be one', prelude(15)],
  ['headers longer than their frame', prelude(100, 85)],
  ['headers of 2^32 - 1 bytes', prelude(100, 2 ** 32 - 1)],
])('%s is refused as soon as its prelude is there', (_, bytes) => {
  expect(() => framesOf(bytes)).toThrow(ModelCallError);
});

test('memory grows with what has arrived, not with what was announced', () => {
  const reader = new FrameReader();
  const chunk = Buffer.alloc(4_096);
  const before = process.memoryUsage().arrayBuffers;
  reader.read(prelude(MOST_FRAME_BYTES), () => undefined);
  for (let kib = 0; kib < 1_024; kib += 4) reader.read(chunk, () => undefined);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(6 * 1_024 * 1_024);
});

test('a long frame that comes byte by byte costs time in proportion', () => {
  const long = frame({ ':event-type': 'x' }, Buffer.alloc(200_000, 'a'));
  const reader = new FrameReader();
  let payload = '';
  for (let at = 0; at < long.length; at += 1) {
    reader.read(long.subarray(at, at + 1), (it) => (payload = it.payload));
  }
  expect(payload).toHaveLength(200_000);
});

test.each([
  ['prelude', 9],
  ['message', -1],
  ['payload', 90],
])('a flipped bit in the %s is noticed', (_, at) => {
  const bytes = Buffer.from(EVENT);
  const flipped = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(flipped) ^ 1, flipped);
  expect(() => framesOf(bytes)).toThrow('checksum');
});

test.each([
  ['a name that runs past the headers', [200, 58]],
  ['a type nobody knows', [1, 58, 10]],
  ['a string that runs past the headers', [1, 58, 7, 0, 9, 65]],
  ['a number that is cut off', [1, 58, 4, 0, 0]],
  ['a length that is cut off', [1, 58, 7, 0]],
  ['a name without a value', [1, 58]],
])('%s is refused', (_, block) => {
  const bytes = Buffer.concat([
    prelude(16 + block.length, block.length),
    Buffer.from([...block, 0, 0, 0, 0]),
  ]);
  expect(() => framesOf(sealed(bytes))).toThrow(ModelCallError);
});

test('headers of every type are passed over', () => {
  const body = Buffer.from('{}');
  const bytes = Buffer.from(
    sdkCodec.encode({
      headers: {
        a: { type: 'boolean', value: true },
        b: { type: 'boolean', value: false },
        c: { type: 'byte', value: 1 },
        d: { type: 'short', value: 2 },
        e: { type: 'integer', value: 3 },
        f: { type: 'binary', value: new Uint8Array([1, 2, 3]) },
        g: { type: 'timestamp', value: new Date(0) },
        h: { type: 'uuid', value: '00000000-0000-4000-8000-000000000000' },
        ':message-type': { type: 'string', value: 'event' },
      },
      body,
    }),
  );
  expect(framesOf(bytes)).toMatchObject([{ headers: { messageType: 'event' }, payload: '{}' }]);
});

const MUTATIONS_PER_SEED = 1_000;

/** Small, fast and repeatable; fast-check chooses and prints the seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function mutated(random: (below: number) => number): Buffer {
  const bytes = Buffer.from(ANSWER_FRAMES[random(ANSWER_FRAMES.length)] ?? EVENT);
  for (let changes = 1 + random(3); changes > 0; changes -= 1) {
    const at = random(bytes.length);
    // Lengths are the most telling part: they are hit as often as all the rest.
    bytes[random(2) === 0 ? random(12) : at] = random(256);
  }
  const cut = random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
  return random(4) === 0 ? cut : sealed(cut);
}

test('100,000 damaged frames: no other error than ours, and nothing read that the SDK would not read', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = randomFrom(seed);
      for (let run = 0; run < MUTATIONS_PER_SEED; run += 1)
        checkAgainstSdk(mutated(random), random);
    }),
    { numRuns: 100 },
  );
});

function checkAgainstSdk(bytes: Buffer, random: (below: number) => number): void {
  const frames: EventFrame[] = [];
  const reader = new FrameReader();
  const cut = random(bytes.length + 1);
  try {
    reader.read(bytes.subarray(0, cut), (it) => frames.push(it));
    reader.read(bytes.subarray(cut), (it) => frames.push(it));
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
  }
  const [first] = frames;
  if (!first) return;
  const sdks = sdkCodec.decode(bytes.subarray(0, bytes.readUInt32BE(0)));
  const type = sdks.headers[':event-type'];
  // Damage may make a header of another type of it, which names no event.
  const eventType = type?.type === 'string' ? type.value : undefined;
  if (first.payload !== toUtf8(sdks.body) || first.headers.eventType !== eventType) {
    throw new Error(`read differently: ${bytes.toString('hex')}`);
  }
}
