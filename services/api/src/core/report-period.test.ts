import { reportPeriod } from './report-period';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');
const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

test('covers the last thirty days when nothing is asked', () => {
  expect(reportPeriod({}, NOW_MS, 90)).toEqual({
    kind: 'period',
    period: { from: new Date('2026-10-19T12:00:00Z'), to: new Date(NOW_MS) },
  });
});

test('covers no more by itself than it would allow', () => {
  expect(reportPeriod({}, NOW_MS, 7)).toMatchObject({
    period: { from: new Date('2026-11-11T12:00:00Z') },
  });
});

test('takes exactly ninety days, and not a millisecond more', () => {
  const from = day('2026-01-01');
  const to = day('2026-04-01');
  expect(reportPeriod({ from, to }, NOW_MS, 90).kind).toBe('period');
  const longer = reportPeriod({ from, to: new Date(to.getTime() + 1) }, NOW_MS, 90);
  expect(longer).toEqual({
    kind: 'refused',
    because: 'A report covers at most 90 days; 91 were asked for. Ask for several periods.',
  });
});

test.each([
  ['reversed', day('2026-03-02'), day('2026-03-01')],
  ['empty', day('2026-03-01'), day('2026-03-01')],
])('refuses a period that is %s', (_, from, to) => {
  expect(reportPeriod({ from, to }, NOW_MS, 90)).toMatchObject({ kind: 'refused' });
});

test('refuses a beginning in the future when no end is given', () => {
  expect(reportPeriod({ from: day('2027-01-01') }, NOW_MS, 90).kind).toBe('refused');
});
