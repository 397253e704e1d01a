import fc from 'fast-check';
import { cheapestSchedule, type ScheduleCosts } from './cheapest-schedule';

function costOf(schedule: readonly number[], { perBlock, perStart }: ScheduleCosts): number {
  return schedule.reduce((sum, tasks, block) => {
    const before = block === 0 ? tasks : (schedule[block - 1] ?? 0);
    return sum + tasks * perBlock + Math.max(0, tasks - before) * perStart;
  }, 0);
}

/** Every schedule there is. */
function cheapestByTrying(needed: readonly number[], costs: ScheduleCosts): number {
  const most = Math.max(...needed);
  const all = needed.reduce<number[][]>(
    (schedules, least) =>
      schedules.flatMap((schedule) =>
        Array.from({ length: most - least + 1 }, (_, more) => [...schedule, least + more]),
      ),
    [[]],
  );
  return Math.min(...all.map((schedule) => costOf(schedule, costs)));
}

const needs = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 });
const costs = fc.record({
  perBlock: fc.integer({ min: 1, max: 10 }),
  perStart: fc.integer({ min: 0, max: 60 }),
});

test('nobody who knows the future pays less', () => {
  fc.assert(
    fc.property(needs, costs, (needed, price) => {
      const schedule = [...cheapestSchedule(Uint16Array.from(needed), price)];
      schedule.forEach((tasks, block) => {
        expect(tasks).toBeGreaterThanOrEqual(needed[block] ?? 0);
      });
      expect(costOf(schedule, price)).toBe(cheapestByTrying(needed, price));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['keeps a task over a gap that costs less than a start', [2, 1, 1, 2], [2, 2, 2, 2]],
  ['gives it back over a longer one', [2, 1, 1, 1, 1, 1, 1, 2], [2, 1, 1, 1, 1, 1, 1, 2]],
])('%s', (_, needed, expected) => {
  const schedule = cheapestSchedule(Uint16Array.from(needed), { perBlock: 10, perStart: 50 });
  expect([...schedule]).toEqual(expected);
});
