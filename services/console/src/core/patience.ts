import type { ServerFrame } from '@matsuri/contract';

import type { Answer } from './conversation';

type Refusal = Extract<ServerFrame, { type: 'error' }>;
type Held = NonNullable<Answer['held']>;

/** Longer than an answer goes on whose tab was closed, and about as long as one waits for a page. */
const PATIENCE_MS = 30_000;
const LEAST_MS = 500;

/** How a refused message is held back to be sent again; `undefined` where it will not be, or has waited enough. */
export function heldBy(
  { code, retryAfterMs }: Pick<Refusal, 'code' | 'retryAfterMs'>,
  before: Held | undefined,
): Held | undefined {
  // Where no time was named, nobody says that it will pass.
  if (retryAfterMs === undefined || (code !== 'busy' && code !== 'overloaded')) return undefined;
  const waitedMs = before ? before.waitedMs + before.waitMs : 0;
  // What has lasted lasts on: asked for ever less often.
  const waitMs = Math.max(retryAfterMs, LEAST_MS, Math.round(waitedMs / 3));
  return waitedMs + waitMs > PATIENCE_MS ? undefined : { by: code, waitMs, waitedMs };
}

/** When to send it; `drawn` is from [0, 1), so that all who were refused do not come back as one. */
export function resendAfterMs({ waitMs }: Held, drawn: number): number {
  return Math.round(waitMs * (1 + drawn / 4));
}
