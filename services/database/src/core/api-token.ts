import { crc32 } from './crc32';

/** What every token starts with, so that secret scanners know one when they see it. */
export const TOKEN_PREFIX = 'mts_';

/** 256 bits: beyond guessing, so a plain keyed hash is enough to store. */
export const TOKEN_RANDOM_BYTES = 32;

const CHECKSUM_BYTES = 4;

// 36 bytes are 48 characters with no bits left over: every token has exactly one spelling.
const SHAPE = /^mts_[A-Za-z0-9_-]{48}$/;

/** Writes random bytes as a token: `mts_`, then the bytes and their checksum in base64url. */
export function formatToken(random: Uint8Array): string {
  if (random.length !== TOKEN_RANDOM_BYTES) {
    throw new RangeError(`A token takes ${TOKEN_RANDOM_BYTES} random bytes, got ${random.length}`);
  }
  const body = Buffer.alloc(TOKEN_RANDOM_BYTES + CHECKSUM_BYTES);
  body.set(random);
  body.writeUInt32BE(crc32(random), TOKEN_RANDOM_BYTES);
  return TOKEN_PREFIX + body.toString('base64url');
}

/** Whether this can be a token at all. Typos and noise are refused here, before anything is asked. */
export function isWellFormedToken(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const body = Buffer.from(text.slice(TOKEN_PREFIX.length), 'base64url');
  return body.readUInt32BE(TOKEN_RANDOM_BYTES) === crc32(body.subarray(0, TOKEN_RANDOM_BYTES));
}

/** What people may see of a token afterwards. */
export function lastFour(token: string): string {
  return token.slice(-4);
}
