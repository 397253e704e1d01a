import { CHAT_ALIASES, defaultConfiguration } from '@matsuri/contract';
import { expectedTrafficAt } from './expected-traffic';
import { yearTraffic } from './year-traffic';

const FROM_MS = Date.parse('2026-06-01T00:00:00+09:00');
const WEEK_MS = 7 * 86_400_000;

test('a year looked up once asks for what each instant by itself asks for', () => {
  const { at } = yearTraffic(defaultConfiguration, FROM_MS, FROM_MS + WEEK_MS);
  for (let atMs = FROM_MS + 7_000_000; atMs < FROM_MS + WEEK_MS; atMs += 4_321_000) {
    const expected = expectedTrafficAt(defaultConfiguration, atMs);
    const asked = at(atMs);
    for (const alias of CHAT_ALIASES) {
      const { requestsPerSecond, meanSize } = expected[alias];
      const perMinute = requestsPerSecond * 60;
      const tokens = requestsPerSecond * (meanSize.inputTokens + meanSize.outputTokens);
      expect(asked.byAlias[alias].requestsPerMinute / perMinute).toBeCloseTo(1, 1);
      // While a release fades, heavy and ordinary questions come side by side rather than as one middling kind.
      if (asked.event === undefined) {
        expect(asked.byAlias[alias].tokensPerSecond / tokens).toBeCloseTo(1, 1);
      }
    }
  }
});

test('an event is named while it runs, the largest of several', () => {
  const from = Date.parse('2026-11-26T00:00:00+09:00');
  const { at } = yearTraffic(defaultConfiguration, from, from + WEEK_MS);
  const named = (when: string) => at(Date.parse(when)).event?.event.name;
  expect(named('2026-11-26T12:00:00+09:00')).toBeUndefined();
  expect(named('2026-11-30T12:00:00+09:00')).toBe('black_friday');
  expect(named('2026-12-01T12:00:00+09:00')).toBe('cyber_monday');
});
