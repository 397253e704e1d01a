import { configure } from '@matsuri/contract';
import { boughtSet } from '../../../test/bought-set';
import {
  CYCLE_MS,
  MORNING_MS,
  NIGHT_MS,
  buying,
  lastOf,
  run,
  throughput,
  type Seen,
} from '../../../test/cycles';

const HOLD_CYCLES = 30;
const demandDriven = configure({ provisioned: { enabled: true, windows: [] } });

test('as shipped nothing is bought, whatever happens', () => {
  const decisions = run({
    cycles: 30,
    see: () => ({ tasks: 100, complex: 90_000, throttles: { complex: 50 } }),
  });
  for (const { plan } of decisions) {
    expect(plan.capacity.complex.purchase).toBeUndefined();
    expect(plan.capacity.complex.reason).toBe('provisioned throughput is off');
  }
});

test('a window is bought for before it begins, in the time activation takes', () => {
  const beforeSix = Date.parse('2026-06-09T05:44:50+09:00');
  const decisions = run({ configuration: buying, fromMs: beforeSix, cycles: 2, see: () => ({}) });
  expect(decisions.map((it) => it.plan.capacity.complex.purchase?.units)).toEqual([undefined, 5]);
  expect(decisions[1]?.plan.capacity.simple.purchase).toMatchObject({
    units: 3,
    cause: 'calendar',
  });
  expect(decisions[1]?.plan.capacity.complex.reason).toBe(
    'the calendar asks for 5 units; buying 5',
  );
});

test('what is on its way counts, and the next purchase waits for it', () => {
  const set = boughtSet([throughput({ units: 5 })]);
  const decisions = run({
    configuration: demandDriven,
    cycles: 95,
    see: (cycle, last) => ({
      tasks: 60,
      complex: cycle < 3 ? 6_000 : 12_000,
      throughputs: set.after(last, NIGHT_MS + cycle * CYCLE_MS),
    }),
  });
  const times = set.purchases.map((it) => (it.atMs - NIGHT_MS) / CYCLE_MS);
  expect(times).toEqual([1, 92]);
  expect(set.units('complex')).toBe(16);
  expect(decisions[10]?.plan.capacity.complex).toMatchObject({
    inServiceUnits: 5,
    pendingUnits: 3,
    targetUnits: 16,
  });
  expect(decisions[10]?.plan.capacity.complex.reason).toContain('the last purchase comes first');
});

test('a purchase just listed is not paid for twice', () => {
  const tight = configure({
    provisioned: { enabled: true, windows: [], maxDollarsPerHour: 30 },
  });
  const set = boughtSet([throughput({ units: 5 })]);
  const decisions = run({
    configuration: tight,
    cycles: 5,
    see: (cycle, last) => ({
      complex: 4_800,
      throughputs: set.after(last, NIGHT_MS + cycle * CYCLE_MS),
    }),
  });
  expect(set.units('complex')).toBe(7);
  for (const { state } of decisions) expect(state.capacity.complex.drainingSinceMs).toEqual({});
});

test('a purchase that never shows up is told and tried again', () => {
  const decisions = run({
    configuration: demandDriven,
    cycles: 92,
    see: () => ({ complex: 4_800, throughputs: [throughput({ units: 5 })] }),
  });
  const tokens = decisions.map((it) => it.plan.capacity.complex.purchase?.token);
  expect(new Set(tokens).size).toBe(2);
  expect(decisions.flatMap((it) => it.plan.pages).map((it) => it.text)).toContain(
    'a purchase of 2 units never came',
  );
});

test('beyond the budget nothing is bought, and somebody is told', () => {
  const poor = configure({ provisioned: { enabled: true, windows: [], maxDollarsPerHour: 20 } });
  const { plan } = lastOf(
    run({
      configuration: poor,
      cycles: 1,
      see: () => ({ complex: 5_000, throughputs: [throughput({ units: 5 })] }),
    }),
  );
  expect(plan.capacity.complex.purchase).toBeUndefined();
  expect(plan.pages).toContainEqual({
    key: 'capacity:complex',
    severity: 'warning',
    title: 'Units of the complex model are short',
    text: '100 % used of the units: 5,000 tokens/s with headroom need 7 units, but $20.00 of $20.00 an hour are spent',
  });
});

describe('giving back', () => {
  const two = [
    throughput({ units: 5, arn: 'arn:large', name: 'large' }),
    throughput({ units: 2, arn: 'arn:small', name: 'small' }),
  ];

  test('the smallest is drained after the hold, deleted when its calls have ended, one at a time', () => {
    const set = boughtSet(two);
    const decisions = run({
      configuration: demandDriven,
      cycles: 140,
      see: (cycle, last) => ({
        complex: 100,
        throughputs: set.after(last, NIGHT_MS + cycle * CYCLE_MS),
      }),
    });
    const drainedAt = decisions.findIndex((it) =>
      it.plan.capacity.complex.set?.some((one) => one.weight === 0),
    );
    const deletedAt = decisions.findIndex((it) => it.plan.capacity.complex.deletions.length > 0);
    expect(drainedAt).toBe(2 * HOLD_CYCLES);
    expect(decisions[drainedAt]?.plan.capacity.complex.set).toEqual([
      { arn: 'arn:large', units: 5, weight: 5 },
      { arn: 'arn:small', units: 2, weight: 0 },
    ]);
    expect(deletedAt).toBe(drainedAt + 30);
    expect(decisions[deletedAt]?.plan.capacity.complex.deletions).toEqual([
      { arn: 'arn:small', units: 2, reason: 'drained for 300 s' },
    ]);
    expect(decisions[deletedAt]?.plan.state).toBe('scaling_in');
    expect(set.units('complex')).toBeLessThan(7);
  });

  test('what demand bought stays while more than a quarter of it is used', () => {
    const { plan } = lastOf(
      run({
        configuration: demandDriven,
        cycles: 120,
        see: () => ({ complex: 1_900, throughputs: two }),
      }),
    );
    expect(plan.capacity.complex.set?.map((it) => it.weight)).toEqual([5, 2]);
  });

  test('what the calendar bought goes when the calendar no longer asks and demand fits', () => {
    const set = two.map((it) => ({ ...it, boughtFor: 'calendar' as const }));
    const { plan } = lastOf(
      run({
        configuration: buying,
        fromMs: MORNING_MS,
        cycles: 70,
        see: () => ({ complex: 3_000, throughputs: set }),
      }),
    );
    expect(plan.capacity.complex.set?.map((it) => it.weight)).toEqual([5, 0]);
  });

  test('never below what the window asks for, however little is used', () => {
    const set = boughtSet(two);
    const { plan } = lastOf(
      run({
        configuration: buying,
        fromMs: MORNING_MS,
        cycles: 250,
        see: (cycle, last) => ({
          complex: 50,
          throughputs: set.after(last, MORNING_MS + cycle * CYCLE_MS),
        }),
      }),
    );
    expect(plan.capacity.complex.set).toEqual([{ arn: 'arn:large', units: 5, weight: 5 }]);
  });

  test('demand that returns during the drain takes the units back instead of buying', () => {
    const see = (cycle: number): Seen => ({ complex: cycle < 62 ? 100 : 6_500, throughputs: two });
    const decisions = run({ configuration: demandDriven, cycles: 64, see });
    expect(decisions[61]?.plan.capacity.complex.set?.map((it) => it.weight)).toEqual([5, 0]);
    expect(decisions[62]?.plan.capacity.complex.set?.map((it) => it.weight)).toEqual([5, 2]);
    expect(decisions[62]?.plan.capacity.complex.reason).toContain('needed again');
  });

  test('switched off, everything of ours is drained at once and then deleted', () => {
    const decisions = run({ cycles: 32, see: () => ({ throughputs: two }) });
    expect(decisions[0]?.plan.capacity.complex.set?.map((it) => it.weight)).toEqual([0, 0]);
    expect(lastOf(decisions).plan.capacity.complex.deletions.map((it) => it.arn)).toEqual([
      'arn:large',
      'arn:small',
    ]);
  });

  test('more than the caps allow is drained, largest first', () => {
    const capped = configure({ provisioned: { enabled: true, maxUnits: { complex: 3 } } });
    const { plan } = lastOf(
      run({ configuration: capped, cycles: 1, see: () => ({ throughputs: two }) }),
    );
    expect(plan.capacity.complex.set?.map((it) => it.weight)).toEqual([0, 2]);
  });

  test('a purchase that failed is removed', () => {
    const failed = throughput({ status: 'failed' });
    const { plan } = lastOf(
      run({ configuration: buying, cycles: 1, see: () => ({ throughputs: [failed] }) }),
    );
    expect(plan.capacity.complex.deletions).toEqual([
      { arn: failed.arn, units: 1, reason: 'it failed' },
    ]);
  });
});

test('a set that cannot be listed is left as it is', () => {
  const { plan } = lastOf(
    run({
      configuration: buying,
      fromMs: MORNING_MS,
      cycles: 1,
      see: () => ({ throughputs: undefined }),
    }),
  );
  expect(plan.capacity.complex).toMatchObject({ deletions: [] });
  expect(plan.capacity.complex.set).toBeUndefined();
  expect(plan.capacity.complex.purchase).toBeUndefined();
});
