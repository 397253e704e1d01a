import fc from 'fast-check';

import { nextRun, parseSchedule } from './schedule';
import { instantOf, wallTime } from './zoned-time';

const TOKYO = 'Asia/Tokyo';

function runs(text: string, zone: string, after: string, count: number): string[] {
  const schedule = parseSchedule(text, zone);
  const found: string[] = [];
  let afterMs = Date.parse(after);
  for (let i = 0; i < count; i += 1) {
    const next = nextRun(schedule, afterMs, Date.parse(after));
    if (next === undefined) break;
    found.push(new Date(next).toISOString().replace('.000Z', 'Z'));
    afterMs = next;
  }
  return found;
}

// Thursday 2026-11-26 12:00 UTC is 21:00 in Tokyo.
const NOW = '2026-11-26T12:00:00Z';

test.each([
  [
    'a weekday morning in Tokyo is the evening before in UTC',
    'cron(0 6 ? * MON-FRI *)',
    TOKYO,
    ['2026-11-26T21:00:00Z', '2026-11-29T21:00:00Z'],
  ],
  [
    'every day at half past eleven at night',
    'cron(30 23 * * ? *)',
    TOKYO,
    ['2026-11-26T14:30:00Z', '2026-11-27T14:30:00Z'],
  ],
  ['Sunday is 1', 'cron(0 21 ? * 1 *)', TOKYO, ['2026-11-29T12:00:00Z', '2026-12-06T12:00:00Z']],
  ['steps', 'cron(0/20 0 1 1 ? *)', 'UTC', ['2027-01-01T00:00:00Z', '2027-01-01T00:20:00Z']],
  ['lists', 'cron(15,45 9 27 NOV ? 2026)', 'UTC', ['2026-11-27T09:15:00Z', '2026-11-27T09:45:00Z']],
  [
    'the last day of the month',
    'cron(0 0 L * ? *)',
    'UTC',
    ['2026-11-30T00:00:00Z', '2026-12-31T00:00:00Z'],
  ],
  [
    'the second Monday',
    'cron(0 0 ? * 2#2 *)',
    'UTC',
    ['2026-12-14T00:00:00Z', '2027-01-11T00:00:00Z'],
  ],
  [
    'the last Friday',
    'cron(0 0 ? * 6L *)',
    'UTC',
    ['2026-11-27T00:00:00Z', '2026-12-25T00:00:00Z'],
  ],
  [
    'the weekday nearest to the first: a Friday, then Monday for a Saturday',
    'cron(0 0 1W 1,5 ? *)',
    'UTC',
    ['2027-01-01T00:00:00Z', '2027-05-03T00:00:00Z'],
  ],
  ['a leap day', 'cron(0 0 29 2 ? *)', 'UTC', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
  ['a year that has passed never comes', 'cron(0 0 1 1 ? 2025)', 'UTC', []],
  ['one time, in Tokyo', 'at(2026-11-27T00:00:00)', TOKYO, ['2026-11-26T15:00:00Z']],
  ['one time in the past', 'at(2026-11-26T20:59:59)', TOKYO, []],
  [
    'a rate counts from its beginning',
    'rate(5 minutes)',
    'UTC',
    ['2026-11-26T12:05:00Z', '2026-11-26T12:10:00Z'],
  ],
])('%s', (_, text, zone, expected) => {
  expect(runs(text, zone, NOW, 2)).toEqual(expected);
});

test('an hour that a zone skips is not run, an hour it repeats is run once', () => {
  expect(runs('cron(30 2 ? 3 SUN *)', 'America/New_York', '2026-03-01T12:00:00Z', 2)).toEqual([
    '2026-03-15T06:30:00Z',
    '2026-03-22T06:30:00Z',
  ]);
  expect(runs('cron(30 1 ? 11 SUN *)', 'America/New_York', '2026-10-31T12:00:00Z', 2)).toEqual([
    '2026-11-01T05:30:00Z',
    '2026-11-08T06:30:00Z',
  ]);
});

test.each([
  ['cron(0 6 * * * *)', 'exactly one of day-of-month and day-of-week must be ?'],
  ['cron(0 6 ? * MON-FRI)', 'six fields'],
  ['cron(60 6 * * ? *)', 'minutes: cannot read "60"'],
  ['cron(0 6 ? * FRY *)', 'day-of-week: cannot read "FRY"'],
  ['cron(0/0 6 * * ? *)', 'minutes: cannot read "0/0"'],
  ['rate(5 fortnights)', 'rate: "5 fortnights"'],
  ['at(tomorrow)', 'at: "tomorrow"'],
  ['every day', 'none of at(...), rate(...) and cron(...)'],
])('%s is refused with the reason', (text, reason) => {
  expect(() => parseSchedule(text, 'UTC')).toThrow(reason);
});

test('a wall-clock reading and its instant are each other, in Tokyo', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }), (ms) => {
      const wholeSecond = Math.floor(ms / 1_000) * 1_000;
      expect(instantOf(wallTime(wholeSecond, TOKYO), TOKYO)).toBe(wholeSecond);
    }),
  );
});

test('the next run is always later, shows the wall time asked for, and nothing lies between', () => {
  const when = fc.record({
    afterMs: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }),
    minute: fc.nat({ max: 59 }),
    hour: fc.nat({ max: 23 }),
  });
  fc.assert(
    fc.property(when, ({ afterMs, minute, hour }) => {
      const next =
        nextRun(parseSchedule(`cron(${minute} ${hour} * * ? *)`, TOKYO), afterMs, 0) ?? 0;
      expect(next).toBeGreaterThan(afterMs);
      expect(next - afterMs).toBeLessThanOrEqual(86_400_000);
      expect(wallTime(next, TOKYO)).toMatchObject({ hour, minute, second: 0 });
    }),
  );
});
