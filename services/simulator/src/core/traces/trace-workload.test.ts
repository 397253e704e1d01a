import type { RateTrace, RequestTrace } from './trace';
import { rateWorkload, requestWorkload } from './trace-workload';

const size = { inputTokens: 800, outputTokens: 60 };
const recorded: RequestTrace = {
  kind: 'requests',
  name: 'recorded',
  requests: [
    { atSeconds: 0, ...size },
    { atSeconds: 999.5, ...size },
  ],
};

test('a recorded request comes sixteen times, seven seconds apart, around the circle', () => {
  const { arrivals } = requestWorkload(recorded);
  expect(arrivals).toHaveLength(1_000);
  expect(arrivals.reduce((sum, it) => sum + it, 0)).toBe(32);
  expect([arrivals[0], arrivals[7], arrivals[105], arrivals[112]]).toEqual([1, 1, 1, 0]);
  expect([arrivals[999], arrivals[6], arrivals[104]]).toEqual([1, 1, 1]);
});

test('a task is sized so that the mean demand fills twenty', () => {
  const workload = requestWorkload(recorded);
  const meanInFlight = (32 * (0.3 + 0.1 + 1)) / 1_000;
  expect(workload.slotsPerTask).toBeCloseTo(meanInFlight / 20);
});

const rates: RateTrace = {
  kind: 'rates',
  name: 'rates',
  windowSeconds: 600,
  requestsPerSecond: [20, 0, 40],
};

test('arrivals follow the rates, and a window without requests stays without', () => {
  const { arrivals } = rateWorkload(rates, [size], 7);
  const inWindow = (index: number) =>
    arrivals.subarray(index * 600, (index + 1) * 600).reduce((sum, it) => sum + it, 0);
  expect(inWindow(0) / 600).toBeCloseTo(20, 0);
  expect(inWindow(1)).toBe(0);
  expect(inWindow(2) / 600).toBeCloseTo(40, 0);
});

test('a seed repeats the draw, another draws anew', () => {
  const drawn = (seed: number) => rateWorkload(rates, [size], seed).arrivals.join();
  expect(drawn(7)).toBe(drawn(7));
  expect(drawn(7)).not.toBe(drawn(8));
});

test('too many requests to tell apart need as much as their sample', () => {
  const crowd = rateWorkload({ ...rates, requestsPerSecond: [5_000, 5_000] }, [size], 7);
  const requests = crowd.scoredRequests;
  expect(crowd.idealTaskSeconds * crowd.slotsPerTask).toBeCloseTo(requests * 1.4, 3);
});
