import { setTimeout as pause } from 'node:timers/promises';
import { PATHS } from '@matsuri/contract';
import { aCall } from '../../gateway/testing/gateway-stage';
import { FakeAnswerer } from './testing/fake-answerer';
import { MemoryStore } from './testing/memory-store';
import { startSessionStage, TokenShelf, type SessionStage } from './testing/session-stage';

let stage: SessionStage;

beforeAll(async () => {
  stage = await startSessionStage({
    answerer: new FakeAnswerer(),
    store: new MemoryStore(),
    tokens: new TokenShelf(),
    overrides: {
      gateway: { slotsPerTask: 1, inFlightPerTask: 2 },
      sessions: { shedAtLoopDelayMs: 1 },
    },
  });
});
afterAll(() => stage.close());

/** Keeps the event loop from everything else, again and again. */
async function hogTheLoop(): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    const untilMs = performance.now() + 60;
    while (performance.now() < untilMs);
    await pause(1);
  }
}

const headers = { authorization: 'Bearer key-1', 'content-type': 'application/json' };
const complete = () =>
  fetch(`${stage.url}${PATHS.chatCompletions}`, { method: 'POST', headers, body: '{}' });

test('while the event loop is late, completions are turned away like messages; what costs nothing is not', async () => {
  for (let n = 0; n < 2; n += 1) void stage.gateway.complete(aCall());
  await hogTheLoop();
  const refused = await complete();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });
  expect(stage.gateway.figures().outside).toBe(1);
  expect((await fetch(`${stage.url}${PATHS.models}`, { headers })).status).toBe(200);
});
