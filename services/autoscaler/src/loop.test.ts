import { settled, VirtualClock } from '@matsuri/resilience/testing';
import { startLoop } from './loop';
import type { Time } from './ports';

function started(startMs: number, run: (clock: VirtualClock) => Promise<unknown>) {
  const clock = new VirtualClock(startMs);
  const time: Time = {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.nowMs(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
  };
  const begun: number[] = [];
  const loop = startLoop({
    intervalMs: 10_000,
    offsetMs: 2_000,
    time,
    run: () => {
      begun.push(clock.nowMs());
      return run(clock);
    },
  });
  return { clock, loop, begun };
}

async function pass(clock: VirtualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.jump(1_000);
    await settled();
  }
}

test('it runs at once, then after every full interval, without drift', async () => {
  const { clock, begun, loop } = started(3_000, () => Promise.resolve());
  await pass(clock, 40);
  expect(begun).toEqual([3_000, 12_000, 22_000, 32_000, 42_000]);
  await loop.stop();
});

test('a run that takes too long skips what it missed and never overlaps', async () => {
  let concurrent = 0;
  const { clock, begun, loop } = started(2_000, async (time) => {
    concurrent += 1;
    expect(concurrent).toBe(1);
    await new Promise<void>((resolve) => time.after(24_500, resolve));
    concurrent -= 1;
  });
  await pass(clock, 70);
  expect(begun).toEqual([2_000, 32_000, 62_000]);
  const stopped = loop.stop();
  await pass(clock, 30);
  await stopped;
  expect(begun).toHaveLength(3);
});
