import { spendResets } from './spend-resets';

test.each([
  ['2026-11-18T23:59:59.999Z', '2026-11-19', '2026-12-01'],
  ['2026-12-31T00:00:00.000Z', '2027-01-01', '2027-01-01'],
  ['2028-02-29T12:00:00.000Z', '2028-03-01', '2028-03-01'],
])('at %s the day resets on %s, the month on %s', (now, day, month) => {
  expect(spendResets(Date.parse(now))).toEqual({ day: new Date(day), month: new Date(month) });
});
