import { EventStreamCodec } from '@smithy/eventstream-codec';
import { fromUtf8, toUtf8 } from '@smithy/util-utf8';
import fc from 'fast-check';

import {
  encodeEvent,
  encodeException,
  encodeFrame,
  encodeStringHeaders,
} from './aws-rest-json-event-frame';

const codec = new EventStreamCodec(toUtf8, fromUtf8);

const headerName = fc.stringMatching(/^[:a-z][a-z0-9-]{0,40}$/);
const headerSet = fc.dictionary(headerName, fc.string({ maxLength: 200, unit: 'grapheme' }), {
  noNullPrototype: true,
});
const payload = fc.uint8Array({ maxLength: 2_000 });

const asSdkHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }]),
  );

test('every frame we encode is read back, checksums included, by the codec of the SDK', () => {
  fc.assert(
    fc.property(headerSet, payload, (headers, body) => {
      const decoded = codec.decode(encodeFrame(encodeStringHeaders(headers), Buffer.from(body)));
      expect(decoded.headers).toEqual(asSdkHeaders(headers));
      expect(Buffer.from(decoded.body)).toEqual(Buffer.from(body));
    }),
  );
});

test('byte for byte, our frames are the frames the codec of the SDK writes', () => {
  fc.assert(
    fc.property(headerSet, payload, (headers, body) => {
      const theirs = codec.encode({ headers: asSdkHeaders(headers), body });
      expect(encodeFrame(encodeStringHeaders(headers), Buffer.from(body))).toEqual(
        Buffer.from(theirs),
      );
    }),
  );
});

test('an event and an exception differ in their message type', () => {
  const event = codec.decode(encodeEvent('messageStart', Buffer.from('{}')));
  const exception = codec.decode(encodeException('throttlingException', Buffer.from('{}')));

  expect(event.headers[':message-type']?.value).toBe('event');
  expect(event.headers[':event-type']?.value).toBe('messageStart');
  expect(exception.headers[':message-type']?.value).toBe('exception');
  expect(exception.headers[':exception-type']?.value).toBe('throttlingException');
});

test('one flipped bit anywhere in a frame is noticed by the codec of the SDK', () => {
  const frame = encodeEvent('contentBlockDelta', Buffer.from('{"delta":{"text":"祭"}}'));
  fc.assert(
    fc.property(fc.nat(frame.length * 8 - 1), (bit) => {
      const damaged = Buffer.from(frame);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => codec.decode(damaged)).toThrow();
    }),
  );
});
