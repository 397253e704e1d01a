import { phasesOf, startUpsOf } from './start-up';

const secondsOf = (startup: number) => phasesOf(startup).map(({ seconds }) => seconds);

/** Pull, provision, health, traffic, detection. */
test.each([
  ['a cold task', 50, [15, 10, 10, 5, 10]],
  ['a larger image pulls longer', 60, [25, 10, 10, 5, 10]],
  ['a warm task is only noticed and given traffic', 15, [0, 0, 0, 5, 10]],
  ['a task that is there', 0, [0, 0, 0, 0, 0]],
])('%s', (_, startup, expected) => {
  expect(secondsOf(startup)).toEqual(expected);
});

function draws(seconds: number, spreadSeed: number): readonly number[] {
  const { draw } = startUpsOf({ seconds, spreadSeed });
  return Array.from({ length: 20_000 }, draw);
}

test.each([15, 50, 60])('tasks differ around %i s, none beyond the longest', (seconds) => {
  const drawn = draws(seconds, 7);
  const mean = drawn.reduce((sum, it) => sum + it, 0) / drawn.length;
  expect(mean / seconds).toBeCloseTo(1, 2);
  expect(new Set(drawn).size).toBeGreaterThan(3);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(
    startUpsOf({ seconds, spreadSeed: 7 }).longestSeconds,
  );
});

test('one cold task in twenty takes more than a minute', () => {
  const late = draws(50, 7).filter((it) => it > 60).length / 20_000;
  expect(late).toBeGreaterThan(0.03);
  expect(late).toBeLessThan(0.1);
});

test('a seed repeats the draws, no seed draws none', () => {
  expect(draws(50, 3)).toEqual(draws(50, 3));
  expect(draws(50, 3)).not.toEqual(draws(50, 4));
  const { draw, longestSeconds } = startUpsOf({ seconds: 50 });
  expect([draw(), draw(), longestSeconds]).toEqual([50, 50, 50]);
});
