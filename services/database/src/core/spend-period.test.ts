import { periodEnd } from './spend-period';

test.each([
  ['day', '2026-03-04', '2026-03-05T00:00:00.000Z'],
  ['day', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['day', '2028-02-28', '2028-02-29T00:00:00.000Z'],
  ['month', '2026-03-04', '2026-04-01T00:00:00.000Z'],
  ['month', '2026-12-31', '2027-01-01T00:00:00.000Z'],
] as const)('the %s of %s ends at %s', (period, day, end) => {
  expect(periodEnd(period, day).toISOString()).toBe(end);
});
