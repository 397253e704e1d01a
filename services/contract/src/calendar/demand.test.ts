import { configure, defaultConfiguration as shipped } from '../configuration/configure';
import { demandAt, ordinaryDemandAt } from './demand';
import { calendarPeaks, ordinaryPeaks } from './peaks';

const HOUR_MS = 3_600_000;
const at = (jst: string) => Date.parse(`${jst}+09:00`);

test('the hours of an ordinary day add up to its messages', () => {
  const midnight = at('2026-06-03T00:00:00');
  const hours = Array.from({ length: 24 }, (_, hour) => midnight + hour * HOUR_MS);
  const messages = hours.reduce(
    (sum, hour) => sum + ordinaryDemandAt(shipped, hour).messagesPerMinute * 60,
    0,
  );
  expect(messages).toBeCloseTo(1_000_000, 3);
});

test.each([
  ['2026-06-01', 1.3],
  ['2026-06-05', 1.15],
  ['2026-06-06', 1.4],
  ['2026-06-07', 1.25],
])('%s has its weekday on top', (day, factor) => {
  const ordinary = ordinaryDemandAt(shipped, at('2026-06-03T20:00:00')).messagesPerMinute;
  const that = ordinaryDemandAt(shipped, at(`${day}T20:00:00`)).messagesPerMinute;
  expect(that / ordinary).toBeCloseTo(factor);
});

test('overlapping events give the higher multiple, not the product', () => {
  const both = at('2026-11-30T20:00:00');
  const ratio =
    demandAt(shipped, both).messagesPerMinute / ordinaryDemandAt(shipped, both).messagesPerMinute;
  expect(ratio).toBeCloseTo(5);
});

test('a release asks for 10 to 15 times the tokens, where requests say 5', () => {
  const release = at('2026-06-08T01:00:00');
  const tokens = (demand: ReturnType<typeof demandAt>) =>
    demand.byAlias.complex.tokensPerSecond + demand.byAlias.simple.tokensPerSecond;
  const factor = tokens(demandAt(shipped, release)) / tokens(ordinaryDemandAt(shipped, release));
  const { low, high } = shipped.traffic.releaseStep.demandFactor;
  expect(factor).toBeGreaterThanOrEqual(low);
  expect(factor).toBeLessThanOrEqual(high + 1e-9);
});

test('cache hits never reach a model', () => {
  const cached = configure({ traffic: { expectedCacheHitPercent: 100 } });
  const { byAlias } = demandAt(cached, at('2026-06-03T20:00:00'));
  expect([byAlias.complex.requestsPerMinute, byAlias.simple.requestsPerMinute]).toEqual([0, 0]);
});

test('the fullest ordinary hour is on Saturday evening, the fullest of the rest of the year in an event', () => {
  const now = at('2026-11-18T00:00:00');
  expect(ordinaryPeaks(shipped, now).map((peak) => new Date(peak.atMs).toISOString())).toEqual([
    '2026-11-21T10:00:00.000Z',
    '2026-11-21T10:00:00.000Z',
  ]);
  const events = calendarPeaks(shipped, now).map((peak) => peak.events);
  expect(events).toEqual([['weekly_shonen_jump'], ['black_friday']]);
});

test('what is over is no longer prepared for', () => {
  const quiet = configure({ calendar: { weekly: [] } });
  const peaks = calendarPeaks(quiet, at('2027-01-02T00:00:00'));
  expect(peaks.map((peak) => peak.events)).toEqual([[], []]);
});
