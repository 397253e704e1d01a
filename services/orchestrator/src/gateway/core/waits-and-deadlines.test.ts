import { defaultConfiguration } from '@matsuri/contract';
import { requestDeadlineMs } from './call-deadlines';
import { recycleAfter } from './recycling';
import { takeTrickle } from './retry-trickle';
import { expectedSlotWaitMs, noteSlotHold } from './slot-wait';

const { timeouts } = defaultConfiguration;

test.each([
  ['a short question', { inputTokens: 0, thinking: false }, 60_000],
  [
    'a long one, longer by the time it takes to read',
    { inputTokens: 100_000, thinking: false },
    75_000,
  ],
  ['one that is thought about', { inputTokens: 0, thinking: true }, 280_000],
])('%s has its own deadline', (_, input, deadlineMs) => {
  expect(requestDeadlineMs(timeouts, input)).toBe(deadlineMs);
});

test('no deadline outlasts the longest', () => {
  const longest = requestDeadlineMs(timeouts, { inputTokens: 10_000_000, thinking: false });
  expect(longest).toBe(timeouts.requestDeadlineThinkingMs);
});

test('a slot is expected after the queue ahead, by the time slots are usually held', () => {
  const holds = { meanMs: undefined };
  expect(expectedSlotWaitMs(holds, { waiting: 100, slots: 50 })).toBe(0);
  noteSlotHold(holds, 2_000);
  expect(expectedSlotWaitMs(holds, { waiting: 99, slots: 50 })).toBe(4_000);
  noteSlotHold(holds, 10_000);
  expect(holds.meanMs).toBe(3_000);
});

test('tasks started together end apart', () => {
  const settings = { recycleAfterRequests: 10_000, recycleJitterPercent: 10 };
  expect([0, 0.5, 0.999].map((draw) => recycleAfter(settings, draw))).toEqual([
    9_000, 10_000, 10_998,
  ]);
});

test('in a quiet hour a few retries come by time, and no more than a few', () => {
  const trickle = { everyMs: 1_000, most: 3, lastAtMs: 0 };
  expect(takeTrickle(trickle, 500)).toBe(0);
  expect(takeTrickle(trickle, 2_500)).toBe(2);
  expect(takeTrickle(trickle, 3_000)).toBe(1);
  expect(takeTrickle(trickle, 60_000)).toBe(3);
  expect(takeTrickle(trickle, 60_500)).toBe(0);
});
