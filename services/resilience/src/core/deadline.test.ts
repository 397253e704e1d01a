import {
  allowanceMs,
  childDeadline,
  deadlineIn,
  fitsDeadline,
  NO_DEADLINE,
  remainingMs,
} from './deadline';

test('what is left is never negative', () => {
  expect(remainingMs(deadlineIn(100, 1_000), 1_040)).toBe(60);
  expect(remainingMs(deadlineIn(100, 1_000), 9_000)).toBe(0);
});

test.each([
  ['its own cap when that is less', 5_000, 300, 300],
  ['what the request has left when that is less', 200, 300, 200],
  ['its own cap when the request has no deadline', NO_DEADLINE, 300, 300],
  ['nothing after the deadline', -1, 300, 0],
])('a step may take %s', (_, deadlineAtMs, capMs, expected) => {
  expect(allowanceMs(deadlineAtMs, capMs, 0)).toBe(expected);
});

test('a child never outlives its parent', () => {
  expect(childDeadline(1_000, 5_000, 0)).toBe(1_000);
  expect(childDeadline(1_000, 200, 0)).toBe(200);
});

test('a wait that ends with the deadline leaves no time for the work', () => {
  expect(fitsDeadline(1_000, 999, 0)).toBe(true);
  expect(fitsDeadline(1_000, 1_000, 0)).toBe(false);
});
