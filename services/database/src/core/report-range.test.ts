import { rangeProblem } from './report-range';

const from = new Date('2026-01-01T00:00:00Z');
const later = (ms: number) => ({ from, to: new Date(from.getTime() + ms) });
const DAY_MS = 86_400_000;

test('ninety days are allowed, one millisecond more is not', () => {
  expect(rangeProblem(later(90 * DAY_MS))).toBeUndefined();
  expect(rangeProblem(later(90 * DAY_MS + 1))).toMatch(/longer than 90 days/);
});

test.each([
  ['nothing', later(0)],
  ['the past of its start', later(-1)],
  ['a date that is none', { from, to: new Date(Number.NaN) }],
])('a range over %s is refused', (_, range) => {
  expect(rangeProblem(range)).toBeDefined();
});
