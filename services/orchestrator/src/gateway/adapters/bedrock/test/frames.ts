import { crc32 } from 'node:zlib';

import { EventStreamCodec } from '@smithy/eventstream-codec';
import { fromUtf8, toUtf8 } from '@smithy/util-utf8';

export const sdkCodec = new EventStreamCodec(toUtf8, fromUtf8);

/** A frame as the SDK's own encoder writes it. */
export function frame(
  headers: Readonly<Record<string, string>>,
  payload: string | Uint8Array,
): Buffer {
  const body = typeof payload === 'string' ? fromUtf8(payload) : payload;
  const typed = Object.entries(headers).map(
    ([name, value]) => [name, { type: 'string', value }] as const,
  );
  return Buffer.from(sdkCodec.encode({ headers: Object.fromEntries(typed), body }));
}

/** A frame of an event of ConverseStream. */
export function event(type: string, payload: unknown): Buffer {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const headers = {
    ':event-type': type,
    ':content-type': 'application/json',
    ':message-type': 'event',
  };
  return frame(headers, text);
}

/** A frame that ends a stream with an exception. */
export function exception(type: string, message: string): Buffer {
  const headers = { ':exception-type': type, ':message-type': 'exception' };
  return frame(headers, JSON.stringify({ message }));
}

/** Makes both checksums true again, over whatever lengths and bytes the frame holds. */
export function sealed(bytes: Buffer): Buffer {
  if (bytes.length < 16) return bytes;
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

/** A good answer: two words, a tool, its end and its usage. */
export const ANSWER_FRAMES: readonly Buffer[] = [
  event('messageStart', { role: 'assistant', p: 'abcd' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: '祭り' }, p: 'abcdefgh' }),
  event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: ' 🎏' }, p: 'ab' }),
  event('contentBlockStop', { contentBlockIndex: 0 }),
  event('contentBlockStart', {
    contentBlockIndex: 1,
    start: { toolUse: { toolUseId: 't1', name: 'find' } },
  }),
  event('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"q":' } } }),
  event('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '1}' } } }),
  event('contentBlockStop', { contentBlockIndex: 1 }),
  event('messageStop', { stopReason: 'tool_use' }),
  event('metadata', { usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 }, metrics: {} }),
];
