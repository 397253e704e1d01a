import { defaultConfiguration } from '@matsuri/contract';
import { expectedTrafficAt, slotsFor } from './expected-traffic';

const at = (jst: string) =>
  slotsFor(expectedTrafficAt(defaultConfiguration, Date.parse(`${jst}+09:00`)));

test('an evening has six times the traffic of a night, and the way there is smooth', () => {
  const night = at('2026-06-03T04:00:00');
  expect(at('2026-06-03T21:00:00') / night).toBeCloseTo(100 / 15, 1);
  const before = at('2026-06-03T16:59:00');
  expect(at('2026-06-03T17:01:00') / before).toBeLessThan(1.02);
});

test('a release multiplies demand ten to fifteen times within its first minute', () => {
  const before = at('2026-06-07T23:59:59');
  const risen = at('2026-06-08T00:01:00');
  expect(risen / before).toBeGreaterThan(10);
  expect(risen / before).toBeLessThan(15.5);
  expect(at('2026-06-08T03:30:00')).toBeLessThan(risen / 10);
});
