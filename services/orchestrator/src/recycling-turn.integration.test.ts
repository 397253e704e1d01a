import { setTimeout as pause } from 'node:timers/promises';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { Redis } from 'ioredis';
import { takeRecyclingTurn } from './recycling-turn';

let server: RunningRedis;
let redis: Redis;

beforeAll(async () => {
  server = requireRedis(await startRedis());
  redis = new Redis(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const ABSENT_MS = 300;
const forever = new AbortController().signal;

function aTask(n: number, more: object = {}) {
  const onProblem = () => undefined;
  return { redis, taskId: `task-${n}`, absentMs: ABSENT_MS, onProblem, ...more };
}

test('tasks that have served their time together go one after the other', async () => {
  const wentAtMs: number[] = [];
  const tasks = Array.from({ length: 5 }, async (_, n) => {
    expect(await takeRecyclingTurn(aTask(n), forever)).toBe(true);
    wentAtMs.push(performance.now());
  });
  await Promise.all(tasks);
  const gaps = wentAtMs.slice(1).map((atMs, n) => atMs - (wentAtMs[n] ?? 0));
  // The successor can be expected only then; timers may be a little early.
  expect(Math.min(...gaps)).toBeGreaterThan(ABSENT_MS - 20);
});

test('who is told to wait no longer leaves the turn to others', async () => {
  const stop = new AbortController();
  expect(await takeRecyclingTurn(aTask(1), forever)).toBe(true);
  const waiting = takeRecyclingTurn(aTask(2, { absentMs: 60_000 }), stop.signal);
  await pause(50);
  stop.abort();
  expect(await waiting).toBe(false);
  expect(await takeRecyclingTurn(aTask(3), forever)).toBe(true);
});

test('while Redis cannot be asked nobody goes', async () => {
  const problems: unknown[] = [];
  let isAway = true;
  const gate = {
    eval: redis.eval.bind(redis),
    evalsha: (...asked: unknown[]) =>
      isAway
        ? Promise.reject(new Error('away'))
        : (redis.evalsha as (...it: unknown[]) => unknown)(...asked),
  };
  const onProblem = (error: unknown) => {
    problems.push(error);
    isAway = problems.length < 3;
  };
  const options = aTask(1, { redis: gate, onProblem, retryMs: 5 });
  expect(await takeRecyclingTurn(options, forever)).toBe(true);
  expect(problems).toHaveLength(3);
});
