import { configure, mitigationFlags, preScaleSignal, type Mitigation } from '@matsuri/contract';
import { createMitigations } from './mitigations';
import { createPreScale, watchSlots } from './pre-scale';
import { WaitingTime } from './waiting-time';

const configuration = configure();

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function flags(mitigation: Mitigation, epoch: number): string {
  const active = [{ mitigation, reason: 'throttles', sinceMs: 1 }];
  return mitigationFlags.encode({ active, cacheSeconds: 120, epoch });
}

test('flags hold while they are renewed, and end with the record or with its time', async () => {
  let stored: () => Promise<string | null> = () => Promise.resolve(flags('coalesce', 5));
  const mitigations = createMitigations({ configuration, redis: { get: () => stored() } });
  const active = () => [...mitigations.now().active];
  expect(active()).toEqual([]);
  await jest.advanceTimersByTimeAsync(0);
  expect(active()).toEqual(['coalesce']);
  expect(mitigations.now().cacheSeconds).toBe(120);

  // A writer that has lost its lease is not believed.
  stored = () => Promise.resolve(flags('templates', 4));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(active()).toEqual(['coalesce']);

  // Redis away: what was said holds until it would have ended by itself.
  stored = () => Promise.reject(new Error('away'));
  await jest.advanceTimersByTimeAsync(100_000);
  expect(active()).toEqual(['coalesce']);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(active()).toEqual([]);

  stored = () => Promise.resolve(null);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(mitigations.now()).toMatchObject({ cacheSeconds: 30, epoch: 0 });
  mitigations.close();
});

test('a full pool is told of for as long as it is full, the fullest first', async () => {
  const written: string[][] = [];
  const redis = {
    set: (...args: string[]) => {
      written.push(args.map(String));
      return Promise.resolve('OK');
    },
  };
  const preScale = createPreScale({
    configuration,
    redis: redis as never,
    taskId: 't1',
    nowMs: () => 7,
  });
  preScale.note('redis', 85);
  preScale.note('opensearch', 95);
  const last = () => preScaleSignal.decode(written.at(-1)?.[1]);
  expect(last()).toEqual({ pool: 'opensearch', utilisationPercent: 95, atMs: 7 });
  expect(written.at(-1)?.[0]).toBe(preScaleSignal.key('t1'));
  const told = written.length;
  await jest.advanceTimersByTimeAsync(preScaleSignal.ttlSeconds(configuration) * 1_000);
  expect(written.length).toBeGreaterThan(told);
  preScale.note('opensearch', undefined);
  expect(last()?.pool).toBe('redis');
  preScale.note('redis', undefined);
  const ended = written.length;
  await jest.advanceTimersByTimeAsync(600_000);
  expect(written).toHaveLength(ended);
});

test('slots in use are the pool of the models', async () => {
  const noted: (number | undefined)[] = [];
  let active = 0;
  const slots = watchSlots({
    configuration,
    gateway: { figures: () => ({ active }) },
    preScale: { note: (_, percent) => noted.push(percent) },
    onPressure: () => undefined,
  });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(noted).toEqual([]);
  active = 45;
  await jest.advanceTimersByTimeAsync(1_000);
  active = 10;
  await jest.advanceTimersByTimeAsync(2_000);
  expect(noted).toEqual([90, undefined]);
  slots.close();
});

test('time spent waiting counts once, however much is waited for at once', async () => {
  let nowMs = 0;
  const waits = new WaitingTime(() => nowMs);
  const one = Promise.withResolvers<undefined>();
  const two = Promise.withResolvers<undefined>();
  const both = [waits.during(() => one.promise), waits.during(() => two.promise)];
  nowMs = 10;
  one.resolve(undefined);
  await both[0];
  nowMs = 35;
  expect(waits.totalMs).toBe(35);
  two.resolve(undefined);
  await both[1];
  nowMs = 100;
  await waits.during(() => Promise.resolve());
  expect(waits.totalMs).toBe(35);
});
