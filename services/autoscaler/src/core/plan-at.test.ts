import { configure, defaultConfiguration, plannedCapacityAt } from '@matsuri/contract';
import fc from 'fast-check';
import { describePlanAt, planAt } from './plan-at';

const buying = configure({ provisioned: { enabled: true } });
const BLACK_FRIDAY_MS = Date.parse('2026-11-27T00:00:00+09:00');

test('any minute of the year, it is what the contract plans', () => {
  const instant = fc.integer({
    min: Date.parse('2026-01-01T00:00:00Z'),
    max: Date.parse('2027-01-02T00:00:00Z'),
  });
  fc.assert(
    fc.property(instant, (atMs) => {
      const planned = plannedCapacityAt(buying, atMs);
      expect(planAt(buying, atMs)).toMatchObject({ tasks: planned.minTasks, units: planned.units });
    }),
    { numRuns: 500 },
  );
});

test('the day before and the day after an event are looked up anew', () => {
  const around = [-4, -2, 0, 95, 97].map((hours) => BLACK_FRIDAY_MS + hours * 3_600_000);
  const tasks = around.map((atMs) => planAt(buying, atMs).tasks);
  expect(tasks).toEqual([30, 50, 50, 50, 40]);
});

test('without provisioned throughput no units are planned', () => {
  expect(planAt(defaultConfiguration, BLACK_FRIDAY_MS).units).toEqual({ complex: 0, simple: 0 });
});

test('a person reads what will be asked for, why, and what is expected', () => {
  expect(describePlanAt(buying, BLACK_FRIDAY_MS).split('\n')).toEqual([
    'Fri 2026-11-27 00:00 Asia/Tokyo: a floor of 50 tasks',
    "  schedule 'late-evening' keeps 10 tasks",
    "  event 'black_friday' runs until Tue 2026-12-01 00:00 keeps 50 tasks",
    '  units: 25 complex, 8 simple ($110.64 an hour)',
    expect.stringMatching(/^ {2}expected: [\d,]+ messages\/min, [\d,]+ tokens\/s of the complex/),
  ]);
});
