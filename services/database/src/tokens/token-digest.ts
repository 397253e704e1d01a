import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { formatToken, TOKEN_RANDOM_BYTES } from '../core/api-token';
import type { Pepper, PepperRing } from '../core/pepper-ring';

/** A token's digest under one pepper. */
export interface TokenDigest {
  readonly pepperVersion: number;
  readonly digest: Buffer;
}

/** Makes a token nobody can guess. */
export function newToken(): string {
  return formatToken(randomBytes(TOKEN_RANDOM_BYTES));
}

/** The digest new tokens are stored under. */
export function newestDigest(token: string, ring: PepperRing): TokenDigest {
  return digestUnder(token, ring.newest);
}

/** What a token is remembered by in this process: no one can read it back, and it is a fraction of a keyed digest's price. */
export function memoryKey(token: string): string {
  return hash('sha256', token, 'base64');
}

/** Every digest a token may be stored under, newest pepper first. */
export function allDigests(token: string, ring: PepperRing): TokenDigest[] {
  return ring.all.map((pepper) => digestUnder(token, pepper));
}

/** Compares without telling, by the time taken, how much agrees. */
export function isSameDigest(a: TokenDigest, b: TokenDigest): boolean {
  return (
    a.pepperVersion === b.pepperVersion &&
    a.digest.length === b.digest.length &&
    timingSafeEqual(a.digest, b.digest)
  );
}

// OpenSSL prepares a key object once; a bare secret it would prepare again for every request.
const keys = new WeakMap<Pepper, KeyObject>();

function digestUnder(token: string, pepper: Pepper): TokenDigest {
  let key = keys.get(pepper);
  if (key === undefined) {
    key = createSecretKey(pepper.secret);
    keys.set(pepper, key);
  }
  const digest = createHmac('sha256', key).update(token).digest();
  return { pepperVersion: pepper.version, digest };
}
