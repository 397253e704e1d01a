import { instantOf } from '@matsuri/contract';
import { MisuseError } from './errors';

/** A moment that means the same on every machine. */
export function momentOf(text: string): number {
  const atMs = instantOf(text);
  if (atMs !== undefined) return atMs;
  throw new MisuseError(
    `--at ${text} is no moment with an offset. Write it as 2026-11-27T00:00+09:00 (or …Z for UTC).`,
  );
}
