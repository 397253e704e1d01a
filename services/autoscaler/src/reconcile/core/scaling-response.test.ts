import { followRise, type Seen } from './scaling-response';

const seen = (given: Partial<Seen>): Seen => ({
  running: 10,
  desired: 10,
  floor: 10,
  breachedAtMs: 100_000,
  nowMs: 110_000,
  ...given,
});

test('a rise begins at the breach, not at the decision', () => {
  expect(followRise(undefined, seen({ floor: 24 }))).toEqual({
    rise: { target: 24, sinceMs: 100_000 },
  });
});

test('it is over when the tasks that were asked for run, even if more are asked for by then', () => {
  const rise = { target: 24, sinceMs: 100_000 };
  const late = seen({ running: 24, floor: 30, nowMs: 150_000, breachedAtMs: 140_000 });
  expect(followRise(rise, late)).toEqual({ rise: { target: 30, sinceMs: 140_000 }, seconds: 50 });
});

test('tasks that never come are reported as late while they are waited for', () => {
  const rise = { target: 24, sinceMs: 100_000 };
  expect(followRise(rise, seen({ floor: 24, nowMs: 400_000 }))).toEqual({ rise, seconds: 300 });
});

test('a rise that nobody wants any more is forgotten, and rest says nothing', () => {
  expect(followRise({ target: 24, sinceMs: 100_000 }, seen({}))).toEqual({});
  expect(followRise(undefined, seen({}))).toEqual({ rise: undefined });
});
