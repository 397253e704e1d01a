import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is yes; for states that nobody announces. */
export async function eventually(holds: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not so within ${withinMs} ms`);
    await delay(10);
  }
}
