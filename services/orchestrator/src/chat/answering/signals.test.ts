import { configure, mitigationFlags, preScaleSignal, type Mitigation } from '@matsuri/contract';
import { createMitigations } from './mitigations';
import { startPreScale } from './pre-scale';
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

describe('the signal that pools fill up', () => {
  const TTL_SECONDS = String(preScaleSignal.ttlSeconds(configuration));

  /** What Redis holds of this task, while pools are as full as it is told. */
  function watch() {
    const said: string[][] = [];
    const note = (...command: unknown[]) => {
      said.push(command.map(String));
      return Promise.resolve();
    };
    const redis = {
      set: (...args: unknown[]) => note('set', ...args),
      del: (...args: unknown[]) => note('del', ...args),
    };
    const pools: Record<string, number> = { redis: 0, opensearch: 0 };
    const preScale = startPreScale({
      configuration,
      redis: redis as never,
      taskId: 't1',
      utilisations: () => pools,
      log: { warn: () => undefined },
      nowMs: () => 7,
    });
    return {
      said,
      last: () => preScaleSignal.decode(said.at(-1)?.[2]),
      hold: async (utilisations: Record<string, number>, forMs: number): Promise<void> => {
        Object.assign(pools, utilisations);
        await jest.advanceTimersByTimeAsync(forMs);
      },
      leave: (): Promise<void> => {
        preScale.close();
        return Promise.resolve();
      },
    };
  }

  test('is not given for a moment of pressure, however often', async () => {
    const { said, hold, leave } = watch();
    for (let times = 0; times < 10; times += 1) {
      await hold({ redis: 0.95 }, 2_000);
      await hold({ redis: 0.5 }, 1_000);
    }
    await leave();
    expect(said).toEqual([]);
  });

  test('is given while it lasts, by the fullest pool and as full as it is', async () => {
    const { said, hold, last, leave } = watch();
    await hold({ redis: 0.85, opensearch: 0.95 }, 3_000);
    expect(said).toMatchObject([
      ['set', preScaleSignal.key('t1'), expect.any(String), 'EX', TTL_SECONDS],
    ]);
    expect(last()).toEqual({ pool: 'opensearch', utilisationPercent: 95, atMs: 7 });
    await hold({ redis: 0.99 }, 1_000);
    expect(last()).toEqual({ pool: 'redis', utilisationPercent: 99, atMs: 7 });
    await leave();
  });

  test.each([
    [
      'when all pools are at ease',
      (it: ReturnType<typeof watch>) => it.hold({ redis: 0.5 }, 1_000),
    ],
    ['when the task leaves', (it: ReturnType<typeof watch>) => it.leave()],
  ])('is taken back, once, %s', async (_, end) => {
    const watched = watch();
    await watched.hold({ redis: 1 }, 5_000);
    await end(watched);
    expect(watched.said.at(-1)).toEqual(['del', preScaleSignal.key('t1')]);
    const count = watched.said.length;
    await watched.hold({ redis: 0.5 }, 60_000);
    await watched.leave();
    expect(watched.said).toHaveLength(count);
  });
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
