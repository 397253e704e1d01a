import { configure, defaultConfiguration as shipped } from '../configuration/configure';
import {
  eventsInForceAt,
  plannedCapacityAt,
  provisionedWindowAt,
  scheduledFloorAt,
} from './floors';

const at = (jst: string) => Date.parse(`${jst}+09:00`);

test.each([
  ['2026-06-03T01:59:59', 15],
  ['2026-06-03T02:00:00', 0],
  ['2026-06-03T05:59:59', 0],
  ['2026-06-03T06:00:00', 5],
  ['2026-06-03T11:59:59', 5],
  ['2026-06-03T12:00:00', 8],
  ['2026-06-03T16:59:59', 8],
  ['2026-06-03T17:00:00', 15],
  ['2026-06-03T23:59:59', 15],
  ['2026-06-04T00:00:00', 15],
])('at %s JST the window asks for %d complex units', (jst, units) => {
  const { windows } = shipped.provisioned;
  expect(provisionedWindowAt(windows, at(jst), 'Asia/Tokyo')?.units.complex).toBe(units);
});

test('between windows that leave a gap nothing is asked for', () => {
  const windows = [
    { from: '06:00', to: '07:00', units: { complex: 1, simple: 1 }, estimatedMonthlyDollars: 0 },
  ];
  expect(provisionedWindowAt(windows, at('2026-06-03T07:00:00'), 'Asia/Tokyo')).toBeUndefined();
});

test.each([
  ['genai', '2026-06-03T01:59:59', 10],
  ['genai', '2026-06-03T02:00:00', 5],
  ['genai', '2026-06-03T16:59:59', 10],
  ['genai', '2026-06-03T17:00:00', 30],
  ['genai', '2026-06-03T23:29:59', 30],
  ['genai', '2026-06-03T23:30:00', 10],
  ['baseline', '2026-06-05T21:59:59', 10],
  ['baseline', '2026-06-05T22:00:00', 3],
  // From Friday night to Monday morning nothing raises the floor.
  ['baseline', '2026-06-07T12:00:00', 3],
  ['baseline', '2026-06-08T05:59:59', 3],
  ['baseline', '2026-06-08T06:00:00', 10],
] as const)('the %s schedule at %s JST holds %d tasks', (profile, jst, tasks) => {
  const { schedule } = configure({ profile }).scaling;
  expect(scheduledFloorAt(schedule, at(jst))?.minTasks).toBe(tasks);
});

test('a schedule without a zone is read as AWS reads it, in UTC', () => {
  const schedule = [
    { name: 'a', days: ['WED' as const], at: '06:00', minTasks: 10 },
    { name: 'b', days: ['TUE' as const], at: '06:00', minTasks: 3 },
  ];
  expect(scheduledFloorAt(schedule, at('2026-06-03T14:59:00'))?.name).toBe('b');
  expect(scheduledFloorAt(schedule, at('2026-06-03T15:00:00'))?.name).toBe('a');
});

test('without a schedule there is no scheduled floor', () => {
  expect(scheduledFloorAt([], 0)).toBeUndefined();
});

test.each([
  ['2026-06-07T20:59:59', []],
  ['2026-06-07T21:00:00', ['weekly_shonen_jump']],
  ['2026-06-08T03:59:59', ['weekly_shonen_jump']],
  ['2026-06-08T04:00:00', []],
  ['2026-11-26T21:00:00', ['black_friday']],
  ['2026-11-30T12:00:00', ['black_friday', 'cyber_monday']],
  ['2026-12-01T12:00:00', ['cyber_monday']],
  ['2026-12-31T23:59:59', ['year_end_sale']],
  ['2027-01-01T00:00:00', []],
])('at %s JST these events hold their floors: %j', (jst, names) => {
  const inForce = eventsInForceAt(shipped.calendar, at(jst)).map((it) => it.event.name);
  expect(inForce).toEqual(names);
});

test('overlapping events and the schedule give the maximum of each, with the reasons', () => {
  const planned = plannedCapacityAt(shipped, at('2026-11-30T12:00:00'));
  expect(planned).toEqual({
    minTasks: 50,
    units: { complex: 25, simple: 8 },
    multiplier: 5,
    because: ['morning-ramp', 'black_friday', 'cyber_monday'],
  });
});

test('before an event its floors hold but its traffic has not come', () => {
  const planned = plannedCapacityAt(shipped, at('2026-06-07T22:00:00'));
  expect([planned.minTasks, planned.multiplier]).toEqual([50, 1]);
});

test('what is planned never exceeds the limits', () => {
  const small = configure({
    scaling: { maxTasks: 40 },
    provisioned: { maxUnits: { complex: 10, simple: 2 } },
  });
  const planned = plannedCapacityAt(small, at('2026-11-28T19:00:00'));
  expect(planned).toMatchObject({ minTasks: 40, units: { complex: 10, simple: 2 } });
});
