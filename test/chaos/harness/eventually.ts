import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until `look` answers something but `undefined` or `false`; rejects, saying what it waited for, when time is up. */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  timeoutMs = 10_000,
): Promise<Exclude<T, undefined | false>> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    if (performance.now() > untilMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(POLL_MS);
  }
}

function isThere<T>(seen: T): seen is Exclude<T, undefined | false> {
  return seen !== undefined && seen !== false;
}
