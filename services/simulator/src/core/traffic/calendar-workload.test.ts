import { defaultConfiguration } from '@matsuri/contract';
import { calendarWorkload } from './calendar-workload';

const drawn = (from: string, seed: number, seconds = 600) =>
  calendarWorkload({
    name: 'drawn',
    configuration: defaultConfiguration,
    startsAtMs: Date.parse(from),
    seconds,
    seed,
  });

const EVENING = '2026-06-03T21:00:00+09:00';
const RELEASE = '2026-06-08T00:00:00+09:00';

test('a seed repeats the traffic, another draws anew', () => {
  const texts = [7, 7, 8].map((seed) => drawn(EVENING, seed).arrivals.join());
  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).not.toBe(texts[2]);
});

test('a release brings more and heavier requests', () => {
  const meanTokens = ({ sizes: { meanSize } }: ReturnType<typeof drawn>) =>
    meanSize.inputTokens + meanSize.outputTokens;
  const evening = drawn(EVENING, 7);
  const release = drawn(RELEASE, 7);
  expect(release.scoredRequests).toBeGreaterThan(2.5 * evening.scoredRequests);
  expect(meanTokens(release) / meanTokens(evening)).toBeCloseTo(3, 0);
});
