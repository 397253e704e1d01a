import { differenceOf, exceedsBurst, PriceList, sumOf, timeToFullMs } from './bucket-limits';

const limits = {
  tokens: { perMinute: 2_000_000, burst: 100_000 },
  requests: { perMinute: 500, burst: 10 },
};

const NAMES = ['requests', 'tokens'] as const;

test('amounts become microseconds of refill, in an order that all processes share', () => {
  const prices = new PriceList(limits);
  expect(prices.dimensions).toEqual(['requests', 'tokens']);
  expect(prices.chargeOf({ requests: 1, tokens: 1_000 })).toEqual({
    costs: [120_000, 30_000],
    bursts: [1_200_000, 3_000_000],
  });
});

test('fractions of a microsecond are charged, not given away', () => {
  const odd = { requests: { perMinute: 7, burst: 1 } };
  expect(new PriceList(odd).chargeOf({ requests: 1 }).costs).toEqual([8_571_429]);
});

test('a whole burst fits, one more never will', () => {
  const odd = { requests: { perMinute: 7, burst: 3 } };
  expect(exceedsBurst(new PriceList(odd).chargeOf({ requests: 3 }))).toBe(false);
  expect(exceedsBurst(new PriceList(odd).chargeOf({ requests: 4 }))).toBe(true);
});

test('a share of a hundred costs a hundred times as much and is never too small for one request', () => {
  const { costs, bursts } = new PriceList(limits).shareOf({ requests: 1, tokens: 1_000 }, 100);
  expect(costs).toEqual([12_000_000, 3_000_000]);
  expect(bursts).toEqual([12_000_000, 3_000_000]);
});

test('a settlement is the difference in the dimensions it names', () => {
  const reserved = { requests: 1, tokens: 5_000 };
  expect(differenceOf(reserved, { tokens: 812 }, NAMES)).toEqual({
    requests: 0,
    tokens: -4_188,
  });
  expect(sumOf({ tokens: -4_188 }, { requests: -1, tokens: 88 }, NAMES)).toEqual({
    requests: -1,
    tokens: -4_100,
  });
});

test('time to full is that of the slowest dimension', () => {
  expect(timeToFullMs(limits)).toBe(3_000);
});
