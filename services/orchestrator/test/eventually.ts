import { setTimeout } from 'node:timers/promises';

/** Looks again and again until there is something to see. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  withinMs = 5_000,
): Promise<Exclude<NonNullable<T>, false>> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isThere(seen)) return seen;
    if (performance.now() > untilMs) throw new Error('it never came');
    await setTimeout(10);
  }
}

function isThere<T>(seen: T): seen is Exclude<NonNullable<T>, false> {
  return seen !== undefined && seen !== null && seen !== false;
}
