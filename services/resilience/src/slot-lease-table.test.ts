import { SlotLeaseTable } from './slot-lease-table';
import { VirtualClock } from './testing';

function setUp(limit = 50) {
  const clock = new VirtualClock();
  return { clock, table: new SlotLeaseTable(limit, 10_000, clock) };
}

test('gives out fifty slots and not one more', () => {
  const { table } = setUp();
  const slots = Array.from({ length: 51 }, () => table.tryTake());
  expect(slots.filter(Boolean)).toHaveLength(50);
  expect(slots[50]).toBeUndefined();
});

test('fifty holders that vanish give fifty slots back without anyone’s help', () => {
  const { clock, table } = setUp();
  for (let n = 0; n < 50; n++) table.tryTake();
  clock.jump(9_999);
  expect(table.inUse).toBe(50);
  clock.jump(1);
  expect(table.inUse).toBe(0);
  expect(table.expired).toBe(50);
});

test('the order of renewal decides who expires first', () => {
  const { clock, table } = setUp();
  const [early, late] = [table.tryTake(), table.tryTake()];
  clock.jump(5_000);
  expect(early?.renew()).toBe(true);
  clock.jump(5_000);
  expect(late?.renew()).toBe(false);
  expect(early?.renew()).toBe(true);
  expect(table.inUse).toBe(1);
});

test('releasing an expired slot does not take the new holder’s', () => {
  const { clock, table } = setUp(1);
  const lost = table.tryTake();
  clock.jump(10_000);
  const mine = table.tryTake();
  lost?.release();
  lost?.release();
  expect(table.inUse).toBe(1);
  mine?.release();
  mine?.release();
  expect(table.inUse).toBe(0);
});

test.each([
  [0, 1_000],
  [NaN, 1_000],
  [5, 0],
])('a limit of %p with a lease of %p ms is no table', (limit, leaseMs) => {
  expect(() => new SlotLeaseTable(limit, leaseMs)).toThrow(RangeError);
});
