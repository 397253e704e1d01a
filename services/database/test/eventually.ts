import { setTimeout } from 'node:timers/promises';

/** Tries until it no longer throws; gives up with the last reason after ten seconds. */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + 10_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await setTimeout(20);
    }
  }
}
