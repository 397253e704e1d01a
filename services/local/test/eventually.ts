import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 10;

/** Asks again until an answer satisfies; fails with the last answer when time is up. */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
  satisfies: (answer: Answer) => boolean,
  withinMs = 10_000,
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not satisfied within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
