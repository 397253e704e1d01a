/** Tasks come and go under live sessions; `pnpm chaos chat` does it twenty times with five hundred of them. */
import { rollingRestart, type RollingRestartResult } from '../../chaos/chat/rolling-restart';

const SEED = 11;
const LOAD = { sessions: 40, restarts: 2, everyMs: 3_000, seed: SEED, onProgress: () => undefined };

function expectKept(result: RollingRestartResult): void {
  expect(result.violations).toEqual([]);
  expect(result.messages).toBeGreaterThanOrEqual(LOAD.sessions);
  expect(2 * result.midway).toBeGreaterThanOrEqual(result.restarts);
  // Everybody had to move at least once.
  expect(result.connections).toBeGreaterThan(LOAD.sessions);
}

test(`every message ends once and whole while tasks are drained (seed ${SEED})`, async () => {
  expectKept(await rollingRestart({ ...LOAD, deregistrationDelayMs: 120_000 }));
}, 240_000);

test(`and while the balancer cuts connections midway (seed ${SEED})`, async () => {
  const result = await rollingRestart({ ...LOAD, deregistrationDelayMs: 500 });
  expectKept(result);
}, 240_000);
