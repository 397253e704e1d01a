import { crc32 } from 'node:zlib';

import { encodeEvent, sealFrame, TRAILER_BYTES } from '../../wire/aws-rest-json-event-frame';

/** A frame whose prelude checksum is false while its message checksum is true. */
export function withWrongPreludeCrc(frame: Buffer): Buffer {
  const damaged = Buffer.from(frame);
  damaged.writeUInt32BE((damaged.readUInt32BE(8) ^ 0xffffffff) >>> 0, 8);
  const end = damaged.length - TRAILER_BYTES;
  damaged.writeUInt32BE(crc32(damaged.subarray(0, end)), end);
  return damaged;
}

/** A frame whose message checksum is false. */
export function withWrongMessageCrc(frame: Buffer): Buffer {
  const damaged = Buffer.from(frame);
  const at = damaged.length - TRAILER_BYTES;
  damaged.writeUInt32BE((damaged.readUInt32BE(at) ^ 0xffffffff) >>> 0, at);
  return damaged;
}

/** A frame that claims a length of 2^31, its prelude checksum true. */
export function withHugeLength(frame: Buffer): Buffer {
  const damaged = Buffer.from(frame);
  damaged.writeUInt32BE(2 ** 31, 0);
  return sealFrame(damaged);
}

/** A frame whose headers claim to run past its end, both checksums true. */
export function withHeaderOverrun(frame: Buffer): Buffer {
  const damaged = Buffer.from(frame);
  damaged.writeUInt32BE(frame.length * 4, 4);
  return sealFrame(damaged);
}

/** The first half of a frame. */
export function firstHalf(frame: Buffer): Buffer {
  return frame.subarray(0, frame.length >> 1);
}

/** A text delta whose bytes are not UTF-8: a cut sequence, a stray byte, an overlong slash. */
export function invalidUtf8Delta(): Buffer {
  const text = Buffer.from([0xe7, 0xa5, 0x20, 0xff, 0xc0, 0xaf]);
  return encodeEvent(
    'contentBlockDelta',
    Buffer.concat([
      Buffer.from('{"contentBlockIndex":0,"delta":{"text":"'),
      text,
      Buffer.from('"}}'),
    ]),
  );
}

/** A delta with true checksums around JSON that stops halfway. */
export function malformedJsonDelta(): Buffer {
  return encodeEvent('contentBlockDelta', Buffer.from('{"contentBlockIndex":0,"delta":{"te'));
}
