import { createHash } from 'node:crypto';

/** The signature the stand-in gives a thought, by which it knows it again in a later turn. */
export function signReasoning(text: string): string {
  return createHash('sha256').update('reasoning\0').update(text).digest('base64');
}
