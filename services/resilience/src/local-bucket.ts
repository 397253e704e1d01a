import {
  cancel,
  catchUp,
  forgettableAt,
  openLedger,
  reserve,
  settle,
  type Ledger,
} from './core/bucket';
import { BoundedMemo } from './core/bounded-memo';
import { differenceOf, PriceList, type Amounts, type Charge } from './core/bucket-limits';
import type { Clock } from './core/clock';
import type { Bucket, BucketAnswer, BucketPolicy, Demand } from './bucket-port';
import { systemClock } from './system-clock';

export interface LocalBucketOptions<D extends string> {
  readonly policy: BucketPolicy<D>;
  /** The most processes there can ever be; each takes this part of the limits. */
  readonly sharers: number;
  readonly clock?: Clock;
}

// A tenant's ledger is dropped when it is as good as new; the sweep runs when this many have gathered.
const SWEEP_AT = 1_000;
const MAX_PRICE_LISTS = 10_000;

/** One process's share of the limits, for when the shared bucket cannot be asked. Starts empty. */
export class LocalBucket<D extends string> implements Bucket<D> {
  readonly source = 'local';
  readonly #policy: BucketPolicy<D>;
  readonly #sharers: number;
  readonly #clock: Clock;
  readonly #tenants = new Map<string, Ledger>();
  readonly #prices: PriceList<D>;
  readonly #tenantPrices: BoundedMemo<string, PriceList<D>>;
  #group: Ledger;

  constructor({ policy, sharers, clock = systemClock }: LocalBucketOptions<D>) {
    if (!(sharers >= 1)) throw new RangeError(`at least one process shares, got ${sharers}`);
    this.#policy = policy;
    this.#sharers = sharers;
    this.#clock = clock;
    this.#prices = new PriceList(policy.limits);
    this.#tenantPrices = new BoundedMemo(
      MAX_PRICE_LISTS,
      (tenant) => new PriceList(policy.tenantLimits(tenant)),
    );
    this.#group = this.#drained();
  }

  /** Forgets all and starts empty: what was granted elsewhere a moment ago is not granted again here. */
  drain(): void {
    this.#tenants.clear();
    this.#group = this.#drained();
  }

  /** Tenants remembered: those with a debt or a place, and the idle ones not yet swept. */
  get tenants(): number {
    return this.#tenants.size;
  }

  ask(demand: Demand<D>, maxWaitMs: number): Promise<BucketAnswer<D>> {
    const { maxBookedPerTenant, maxBooked } = this.#policy;
    const { group, tenant, now } = this.#ledgers(demand, demand.amounts);
    const ask = {
      id: demand.id,
      group: group.charge,
      tenant: tenant.charge,
      maxWaitMicros: maxWaitMs * 1_000,
      maxBookedPerTenant,
      maxBooked,
    };
    const { kind, atMicros } = reserve(group.ledger, tenant.ledger, ask, now);
    const waitMs = (atMicros - now) / 1_000;
    return Promise.resolve(
      kind === 'granted'
        ? { kind, waitMs, grantedAtMicros: atMicros, bucket: this }
        : { kind, waitMs },
    );
  }

  settle(demand: Demand<D>, actual: Amounts<D>): Promise<void> {
    const difference = differenceOf(demand.amounts, actual, this.#prices.dimensions);
    const { group, tenant, now } = this.#ledgers(demand, difference);
    settle(group.ledger, group.charge, now);
    settle(tenant.ledger, tenant.charge, now);
    return Promise.resolve();
  }

  cancel(demand: Demand<D>): Promise<void> {
    const { group, tenant, now } = this.#ledgers(demand, demand.amounts);
    cancel(group.ledger, demand.id, group.charge, now);
    cancel(tenant.ledger, demand.id, tenant.charge, now);
    return Promise.resolve();
  }

  #drained(): Ledger {
    return openLedger(this.#prices.bursts, 'drained', this.#nowMicros());
  }

  #nowMicros(): number {
    return Math.floor(this.#clock.nowMs() * 1_000);
  }

  #ledgers({ tenant }: Demand<D>, amounts: Amounts<D>) {
    const sharers = this.#sharers;
    const group = { ledger: this.#group, charge: this.#prices.shareOf(amounts, sharers) };
    const charge = this.#tenantPrices.get(tenant).shareOf(amounts, sharers);
    const now = catchUp(group.ledger, group.charge.bursts, this.#nowMicros());
    const ledger = this.#tenantLedger(tenant, charge, now);
    catchUp(ledger, charge.bursts, now);
    return { group, tenant: { ledger, charge }, now };
  }

  #tenantLedger(tenant: string, { bursts }: Charge, now: number): Ledger {
    const known = this.#tenants.get(tenant);
    if (known) return known;
    if (this.#tenants.size >= SWEEP_AT) this.#sweep(now);
    const ledger = openLedger(bursts, 'full', now);
    this.#tenants.set(tenant, ledger);
    return ledger;
  }

  #sweep(now: number): void {
    for (const [tenant, ledger] of this.#tenants) {
      if (forgettableAt(ledger) <= now) this.#tenants.delete(tenant);
    }
  }
}
