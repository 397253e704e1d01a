import { z } from 'zod';

/** What a cursor may be on the wire: opaque to the caller, bounded for us. */
export const CURSOR_PATTERN = /^[A-Za-z0-9_-]{1,1000}$/;

const positionSchema = z.array(z.string()).max(2);

/** Where a page ended, as a text for the next request. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position behind a cursor; `undefined` for a text that we never gave out. */
export function decodeCursor(cursor: string): readonly string[] | undefined {
  try {
    return positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
