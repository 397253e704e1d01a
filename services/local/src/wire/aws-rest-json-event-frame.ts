import { crc32 } from 'node:zlib';

/** Bytes of the prelude: total length, length of the headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
/** Bytes of the checksum that ends a frame. */
export const TRAILER_BYTES = 4;

const STRING_HEADER = 7;

/** String headers in the order given, as `application/vnd.amazon.eventstream` writes them. */
export function encodeStringHeaders(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const nameBytes = Buffer.from(name);
      const valueBytes = Buffer.from(value);
      const encoded = Buffer.allocUnsafe(4 + nameBytes.length + valueBytes.length);
      encoded.writeUInt8(nameBytes.length, 0);
      nameBytes.copy(encoded, 1);
      encoded.writeUInt8(STRING_HEADER, 1 + nameBytes.length);
      encoded.writeUInt16BE(valueBytes.length, 2 + nameBytes.length);
      valueBytes.copy(encoded, 4 + nameBytes.length);
      return encoded;
    }),
  );
}

/** One event-stream message around headers that are encoded already. */
export function encodeFrame(headers: Buffer, payload: Buffer): Buffer {
  const length = PRELUDE_BYTES + headers.length + payload.length + TRAILER_BYTES;
  const frame = Buffer.allocUnsafe(length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt32BE(headers.length, 4);
  headers.copy(frame, PRELUDE_BYTES);
  payload.copy(frame, PRELUDE_BYTES + headers.length);
  return sealFrame(frame);
}

/** Writes both checksums over whatever lengths and bytes the frame holds, true or not. */
export function sealFrame(frame: Buffer): Buffer {
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  const end = frame.length - TRAILER_BYTES;
  frame.writeUInt32BE(crc32(frame.subarray(0, end)), end);
  return frame;
}

/** A frame of a modelled event with a JSON payload. */
export function encodeEvent(eventType: string, payload: Buffer): Buffer {
  return encodeFrame(eventHeaders(eventType), payload);
}

/** A frame that ends a stream with a modelled exception. */
export function encodeException(exceptionType: string, payload: Buffer): Buffer {
  const headers = encodeStringHeaders({
    ':exception-type': exceptionType,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  });
  return encodeFrame(headers, payload);
}

const headersByEvent = new Map<string, Buffer>();

function eventHeaders(eventType: string): Buffer {
  let headers = headersByEvent.get(eventType);
  if (!headers) {
    headers = encodeStringHeaders({
      ':event-type': eventType,
      ':content-type': 'application/json',
      ':message-type': 'event',
    });
    headersByEvent.set(eventType, headers);
  }
  return headers;
}
