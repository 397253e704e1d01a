import { crc32 } from 'node:zlib';

import { readFrameHeaders } from './frame-headers';
import type { FrameHeaders } from './frame-headers';
import { brokenReply } from './upstream-failure';

/** One message of `application/vnd.amazon.eventstream`, its checksums verified. */
export interface EventFrame {
  readonly headers: FrameHeaders;
  /** Bytes that are not UTF-8 have become U+FFFD, as in the SDK. */
  readonly payload: string;
}

/** Total length, length of the headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const PRELUDE_CHECKSUM_AT = 8;
const CHECKSUM_BYTES = 4;
const LEAST_FRAME_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;

/** Far above any event of Bedrock: a longer frame is a fault, and is refused before it is waited for. */
export const MOST_FRAME_BYTES = 16 * 1_024 * 1_024;

const NOTHING = Buffer.alloc(0);

/**
 * Cuts a byte stream, however it was sliced, into frames. Whole frames are read where they lie; the start of an
 * incomplete one is carried over in a buffer that grows with what has arrived, never with what was announced.
 */
export class FrameReader {
  private carried = NOTHING;
  private carriedBytes = 0;
  private neededBytes = PRELUDE_BYTES;

  /** Hands over every frame that is complete by now; throws `ModelCallError` on one that is damaged. */
  read(chunk: Buffer, take: (frame: EventFrame) => void): void {
    if (this.carriedBytes + chunk.length < this.neededBytes) {
      this.carry(chunk);
      return;
    }
    const bytes = this.joined(chunk);
    let at = 0;
    this.neededBytes = neededAt(bytes, at);
    while (bytes.length - at >= this.neededBytes) {
      const end = at + this.neededBytes;
      take(openFrame(bytes, at, end));
      at = end;
      this.neededBytes = neededAt(bytes, at);
    }
    this.carry(bytes.subarray(at));
  }

  /** Whether the stream may end here. */
  isBetweenFrames(): boolean {
    return this.carriedBytes === 0;
  }

  private joined(chunk: Buffer): Buffer {
    if (this.carriedBytes === 0) return chunk;
    this.carry(chunk);
    const bytes = this.carried.subarray(0, this.carriedBytes);
    this.carried = NOTHING;
    this.carriedBytes = 0;
    return bytes;
  }

  private carry(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const total = this.carriedBytes + chunk.length;
    if (total > this.carried.length) {
      const grown = Buffer.allocUnsafe(Math.max(total, this.carried.length * 2));
      this.carried.copy(grown, 0, 0, this.carriedBytes);
      this.carried = grown;
    }
    chunk.copy(this.carried, this.carriedBytes);
    this.carriedBytes = total;
  }
}

/** The bytes it takes to go on from here: a prelude, or the frame whose prelude is there already. */
function neededAt(bytes: Buffer, at: number): number {
  if (bytes.length - at < PRELUDE_BYTES) return PRELUDE_BYTES;
  const length = bytes.readUInt32BE(at);
  if (length > MOST_FRAME_BYTES) throw brokenReply(`a frame claims ${length} bytes`);
  const checksumAt = at + PRELUDE_CHECKSUM_AT;
  if (crc32(bytes.subarray(at, checksumAt)) !== bytes.readUInt32BE(checksumAt)) {
    throw brokenReply('the checksum of a frame prelude is wrong');
  }
  if (length < LEAST_FRAME_BYTES + bytes.readUInt32BE(at + 4)) {
    throw brokenReply('the headers of a frame are longer than the frame');
  }
  return length;
}

function openFrame(bytes: Buffer, start: number, end: number): EventFrame {
  const checksumAt = end - CHECKSUM_BYTES;
  if (crc32(bytes.subarray(start, checksumAt)) !== bytes.readUInt32BE(checksumAt)) {
    throw brokenReply('the checksum of a frame is wrong');
  }
  const headersAt = start + PRELUDE_BYTES;
  const payloadAt = headersAt + bytes.readUInt32BE(start + 4);
  return {
    headers: readFrameHeaders(bytes, headersAt, payloadAt),
    payload: bytes.toString('utf8', payloadAt, checksumAt),
  };
}
