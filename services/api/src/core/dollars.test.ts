import fc from 'fast-check';
import { DOLLARS_PATTERN, dollarsOf, microUsdOf } from './dollars';

test.each([
  [0, '0.00'],
  [1, '0.000001'],
  [42_000, '0.042'],
  [1_500_000, '1.50'],
  [20_000_000, '20.00'],
  [1_000_000_000_000, '1000000.00'],
])('%d micro-dollars are written %s', (microUsd, text) => {
  expect(dollarsOf(microUsd)).toBe(text);
});

test('an amount survives being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (microUsd) => {
      const text = dollarsOf(microUsd);
      expect(text).toMatch(DOLLARS_PATTERN);
      expect(microUsdOf(text)).toBe(microUsd);
    }),
  );
});

test.each(['', '.5', '1.', '-1', '1e3', '1,000', '0.1234567', '1000000.01', '1000001', ' 1'])(
  'refuses %j as an amount',
  (text) => {
    expect(text).not.toMatch(DOLLARS_PATTERN);
  },
);
