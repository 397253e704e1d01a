import fc from 'fast-check';
import { worstBurst, type Grant } from '../../test/grant-intervals';
import { cancel, catchUp, openLedger, reserve, settle, type Answer, type Ledger } from './bucket';
import type { Charge } from './bucket-limits';

/** One dimension of 1 unit per 100 µs, 5 at once, in the group; tenants may take it all unless told otherwise. */
const UNIT = 100;
const BURST = 500;

class Rig {
  now = 1_000_000;
  readonly group: Ledger;
  readonly tenants = new Map<string, Ledger>();

  constructor(
    readonly groupBursts: readonly number[] = [BURST],
    readonly tenantBursts: readonly number[] = [BURST],
    readonly start: 'full' | 'drained' = 'full',
  ) {
    this.group = openLedger(groupBursts, start, this.now);
  }

  tenant(name: string): Ledger {
    const ledger = this.tenants.get(name) ?? openLedger(this.tenantBursts, 'full', this.now);
    this.tenants.set(name, ledger);
    return ledger;
  }

  ask(name: string, id: string, costs: readonly number[] = [UNIT], rules = {}): Answer {
    const now = this.catchUp(name);
    const ask = {
      id,
      group: { costs, bursts: this.groupBursts },
      tenant: { costs, bursts: this.tenantBursts },
      maxWaitMicros: 1_000_000,
      maxBookedPerTenant: 2,
      maxBooked: 100,
      ...rules,
    };
    return reserve(this.group, this.tenant(name), ask, now);
  }

  settle(name: string, costs: readonly number[]): void {
    this.each(name, (ledger, charge, now) => settle(ledger, charge, now), costs);
  }

  cancel(name: string, id: string, costs: readonly number[] = [UNIT]): void {
    this.each(name, (ledger, charge, now) => cancel(ledger, id, charge, now), costs);
  }

  private each(
    name: string,
    act: (ledger: Ledger, charge: Charge, now: number) => void,
    costs: readonly number[],
  ): void {
    const now = this.catchUp(name);
    act(this.group, { costs, bursts: this.groupBursts }, now);
    act(this.tenant(name), { costs, bursts: this.tenantBursts }, now);
  }

  private catchUp(name: string): number {
    const now = catchUp(this.group, this.groupBursts, this.now);
    catchUp(this.tenant(name), this.tenantBursts, now);
    return now;
  }
}

const granted = (atMicros: number): Answer => ({ kind: 'granted', atMicros });

test('a burst is granted at once, what follows at the rate', () => {
  const rig = new Rig();
  const at = Array.from({ length: 7 }, (_, n) => rig.ask(`t${n % 2}`, `${n}`).atMicros - rig.now);
  expect(at).toEqual([0, 0, 0, 0, 0, 100, 200]);
});

test('a bucket that starts drained grants the first only after it has earned it', () => {
  const rig = new Rig([BURST], [BURST], 'drained');
  expect(rig.ask('a', '1')).toEqual(granted(rig.now + UNIT));
});

test('a wait that is too long is refused, with the time it would have taken, and costs nothing', () => {
  const rig = new Rig();
  rig.ask('a', '1', [BURST]);
  const before = structuredClone(rig.group);
  expect(rig.ask('b', '2', [200], { maxWaitMicros: 199 })).toEqual({
    kind: 'refused',
    atMicros: rig.now + 200,
  });
  expect(rig.group).toEqual(before);
});

test('a booked place is not overtaken by a smaller request', () => {
  const rig = new Rig();
  rig.ask('a', '1', [BURST]);
  expect(rig.ask('a', '2', [400]).atMicros).toBe(rig.now + 400);
  expect(rig.ask('b', '3', [1]).atMicros).toBe(rig.now + 401);
});

test('all dimensions are charged or none', () => {
  const rig = new Rig([BURST, BURST], [BURST, BURST]);
  rig.ask('a', '1', [0, BURST]);
  const before = structuredClone(rig.group);
  expect(rig.ask('b', '2', [UNIT, BURST], { maxWaitMicros: 0 }).kind).toBe('refused');
  expect(rig.group).toEqual(before);
});

describe('a tenant', () => {
  test('with two places booked is told to come when the first of them is due', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.ask('a', '2');
    rig.ask('a', '3');
    expect(rig.ask('a', '4')).toEqual({ kind: 'later', atMicros: rig.now + 100 });
    expect(rig.ask('b', '5')).toEqual(granted(rig.now + 300));
  });

  test('that its own limit holds back books nothing and delays nobody', () => {
    const rig = new Rig([BURST], [200]);
    rig.ask('a', '1', [200]);
    expect(rig.ask('a', '2')).toEqual({ kind: 'later', atMicros: rig.now + 100 });
    expect(rig.group.booked).toEqual([]);
    expect(rig.ask('b', '3')).toEqual(granted(rig.now));
  });

  test('finds the queue bounded for all together', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    for (const tenant of ['b', 'c', 'd']) rig.ask(tenant, tenant);
    expect(rig.ask('e', 'e', [UNIT], { maxBooked: 3 })).toEqual({
      kind: 'later',
      atMicros: rig.now + 100,
    });
  });
});

describe('a settlement', () => {
  test('gives back what was not used', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.settle('a', [-300]);
    expect(rig.ask('b', '2', [300])).toEqual(granted(rig.now));
  });

  test('never lifts a bucket above full', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.now += 10_000;
    rig.settle('a', [-BURST]);
    expect(rig.ask('b', '2', [BURST])).toEqual(granted(rig.now));
    expect(rig.ask('b', '3', [1]).atMicros).toBe(rig.now + 1);
  });

  test('charges what was used beyond the reservation', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.settle('a', [200]);
    expect(rig.ask('b', '2')).toEqual(granted(rig.now + 300));
  });

  test('never puts a bucket deeper into debt than one burst', () => {
    const rig = new Rig();
    rig.settle('a', [1_000_000]);
    expect(rig.ask('b', '2')).toEqual(granted(rig.now + BURST + UNIT));
  });
});

describe('a cancelled place', () => {
  test('goes to the next who asks', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.ask('a', '2');
    rig.cancel('a', '2');
    expect(rig.ask('b', '3')).toEqual(granted(rig.now + 100));
  });

  test('in the middle does not let others clump together', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.ask('a', '2', [BURST]);
    const third = rig.ask('b', '3', [200]);
    rig.cancel('a', '2', [BURST]);
    const fourth = rig.ask('c', '4', [BURST]);
    expect(third.atMicros).toBe(rig.now + 700);
    expect(fourth.atMicros).toBe(rig.now + 900);
  });

  test('whose time has passed is refunded in full', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.ask('a', '2');
    rig.now += 100;
    rig.cancel('a', '2');
    expect(rig.ask('b', '3')).toEqual(granted(rig.now));
  });
});

describe('a server clock that goes back', () => {
  test('a little stands still', () => {
    const rig = new Rig();
    rig.ask('a', '1', [BURST]);
    rig.now -= 500_000;
    expect(rig.ask('b', '2').atMicros).toBe(1_000_100);
  });

  test('a lot starts empty instead of keeping everyone waiting for it to catch up', () => {
    const rig = new Rig();
    rig.now += 30_000_000;
    rig.ask('a', '1', [BURST]);
    rig.now -= 30_000_000;
    expect(rig.ask('b', '2')).toEqual(granted(rig.now + UNIT));
  });
});

interface Held {
  readonly id: string;
  readonly tenant: string;
  readonly at: number;
  readonly costs: readonly number[];
}

test('over every interval grants less refunds stay within rate and burst, in every dimension of every ledger', () => {
  const step = fc.record({
    kind: fc.constantFrom('ask', 'ask', 'ask', 'settle', 'cancel', 'time'),
    tenant: fc.constantFrom('a', 'b', 'c'),
    costs: fc.tuple(fc.nat(400), fc.nat(900)),
    pick: fc.nat(1_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const [groupBursts, tenantBursts] = [
        [500, 1_000],
        [400, 900],
      ] as const;
      const rig = new Rig(groupBursts, tenantBursts);

      const held: Held[] = [];
      const log: (Held & { sign: 1 | -1 })[] = [];
      for (const [n, { kind, tenant, costs, pick }] of steps.entries()) {
        const [mine] = kind === 'settle' || kind === 'cancel' ? held.splice(pick % 9, 1) : [];
        if (kind === 'time') rig.now += pick;
        else if (kind === 'ask') {
          const answer = rig.ask(tenant, `${n}`, costs, { maxWaitMicros: 2_000 });
          if (answer.kind !== 'granted') continue;
          const grant = { id: `${n}`, tenant, at: answer.atMicros, costs };
          held.push(grant);
          log.push({ ...grant, sign: 1 });
        } else if (mine && kind === 'cancel') {
          rig.cancel(mine.tenant, mine.id, mine.costs);
          if (mine.at > rig.now)
            log.splice(
              log.findIndex(({ id }) => id === mine.id),
              1,
            );
          else log.push({ ...mine, at: rig.now, sign: -1 });
        } else if (mine && mine.at <= rig.now) {
          const share = (pick % 4) / 3;
          const refund = mine.costs.map((cost) => Math.floor(cost * share));
          rig.settle(
            mine.tenant,
            refund.map((cost) => -cost),
          );
          log.push({ ...mine, at: rig.now, costs: refund, sign: -1 });
        }
      }
      const burstOf = (d: number, tenant?: string): number => {
        const grants: Grant[] = log
          .filter((each) => tenant === undefined || each.tenant === tenant)
          .map((each) => ({ atMicros: each.at, amount: each.sign * (each.costs[d] ?? 0) }));
        return worstBurst(grants, 1);
      };
      for (const d of [0, 1]) {
        expect(burstOf(d)).toBeLessThanOrEqual(groupBursts[d] ?? 0);
        for (const tenant of rig.tenants.keys()) {
          expect(burstOf(d, tenant)).toBeLessThanOrEqual(tenantBursts[d] ?? 0);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
