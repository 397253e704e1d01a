import { prefersAsync } from './respond-async';

test.each([
  ['respond-async', true],
  ['Respond-Async', true],
  ['wait=100, respond-async', true],
  ['respond-async; foo="a", handling=lenient', true],
  ['respond-async=', true],
  [undefined, false],
  ['', false],
  ['handling=lenient', false],
  ['return=respond-async', false],
  ['respond-asynchronously', false],
])('Prefer: %s', (prefer, expected) => {
  expect(prefersAsync(prefer)).toBe(expected);
});
