import { brokenReply } from './upstream-failure';

/** What a frame says about itself; headers that nobody reads are not kept. */
export interface FrameHeaders {
  readonly messageType: string | undefined;
  readonly eventType: string | undefined;
  readonly exceptionType: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorMessage: string | undefined;
}

const STRING_TYPE = 7;
const BYTES_TYPE = 6;

/** Bytes of a value by its type: true, false, byte, short, int, long, (bytes, string), time, UUID. */
const FIXED_BYTES: readonly (number | undefined)[] = [
  0,
  0,
  1,
  2,
  4,
  8,
  undefined,
  undefined,
  8,
  16,
];

// Frames of one kind carry the same header block, byte for byte: it is parsed once.
const MOST_BLOCKS_KEPT = 64;
const LONGEST_BLOCK_KEPT = 512;
const parsedBlocks = new Map<string, FrameHeaders>();

/** The headers of the frame that holds `bytes[start, end)` as its header block. */
export function readFrameHeaders(bytes: Buffer, start: number, end: number): FrameHeaders {
  if (end - start > LONGEST_BLOCK_KEPT) return parseBlock(bytes, start, end);
  const key = bytes.toString('latin1', start, end);
  let headers = parsedBlocks.get(key);
  if (!headers) {
    headers = parseBlock(bytes, start, end);
    if (parsedBlocks.size >= MOST_BLOCKS_KEPT) parsedBlocks.clear();
    parsedBlocks.set(key, headers);
  }
  return headers;
}

function parseBlock(bytes: Buffer, start: number, end: number): FrameHeaders {
  const block = bytes.subarray(start, end);
  const strings = new Map<string, string>();
  let at = 0;
  while (at < block.length) {
    const nameEnd = at + 1 + byteAt(block, at);
    const type = byteAt(block, nameEnd);
    const lengthBytes = type === STRING_TYPE || type === BYTES_TYPE ? 2 : 0;
    const valueStart = nameEnd + 1 + lengthBytes;
    const valueEnd = valueStart + valueBytes(block, type, nameEnd + 1);
    if (valueEnd > block.length) throw overrun();
    const name = block.toString('utf8', at + 1, nameEnd);
    if (type === STRING_TYPE) strings.set(name, block.toString('utf8', valueStart, valueEnd));
    else strings.delete(name);
    at = valueEnd;
  }
  return {
    messageType: strings.get(':message-type'),
    eventType: strings.get(':event-type'),
    exceptionType: strings.get(':exception-type'),
    errorCode: strings.get(':error-code'),
    errorMessage: strings.get(':error-message'),
  };
}

function valueBytes(block: Buffer, type: number, at: number): number {
  if (type === STRING_TYPE || type === BYTES_TYPE) {
    return byteAt(block, at) * 256 + byteAt(block, at + 1);
  }
  const fixed = FIXED_BYTES[type];
  if (fixed === undefined) throw brokenReply(`a frame header has the unknown type ${type}`);
  return fixed;
}

function byteAt(block: Buffer, at: number): number {
  const byte = block[at];
  if (byte === undefined) throw overrun();
  return byte;
}

function overrun(): Error {
  return brokenReply('a frame header runs past the headers');
}
