import { retryAfterMs } from './retry-after';

const NOW_MS = Date.UTC(2026, 10, 18, 12, 0, 0);

test.each([
  ['3', 3_000],
  ['0', 0],
  ['Wed, 18 Nov 2026 12:00:05 GMT', 5_000],
  ['Wed, 18 Nov 2026 11:59:00 GMT', 0],
  ['soon', undefined],
  ['-1x', undefined],
  [undefined, undefined],
  [['1', '2'], undefined],
])('Retry-After: %s waits %s ms', (header, expected) => {
  expect(retryAfterMs(header, NOW_MS)).toBe(expected);
});
