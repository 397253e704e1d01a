/** So many per minute on average, and `burst` at once after a quiet time. */
export interface Limit {
  readonly perMinute: number;
  readonly burst: number;
}

/** One limit per dimension, e.g. requests and tokens; a request must pass all of them. */
export type Limits<D extends string> = Readonly<Record<D, Limit>>;

export type Amounts<D extends string> = Readonly<Partial<Record<D, number>>>;

/**
 * Amounts as whole microseconds of refill, one entry per dimension in a fixed order. Time is the unit
 * because then a bucket is a single number, the instant at which it will be full again, and
 * a changed limit needs no migration.
 */
export interface Charge {
  readonly costs: readonly number[];
  readonly bursts: readonly number[];
}

const MICROS_PER_MINUTE = 60_000_000;

/** Sorted, so that processes agree on the order whatever order their configuration was written in. */
function dimensionsOf<D extends string>(limits: Limits<D>): readonly D[] {
  return Object.keys(limits)
    .filter((name): name is D => name in limits)
    .sort();
}

// Rounded up: a grant may cost a microsecond too much, never too little.
function microsFor(amount: number, perMinute: number): number {
  return Math.ceil((amount * MICROS_PER_MINUTE) / perMinute);
}

/** What every amount costs under some limits; made once, because a limiter prices each request several times. */
export class PriceList<D extends string> {
  readonly dimensions: readonly D[];
  /** How long each dimension takes to fill from empty. */
  readonly bursts: readonly number[];
  readonly #perMinute: readonly number[];

  constructor(limits: Limits<D>) {
    this.dimensions = dimensionsOf(limits);
    this.#perMinute = this.dimensions.map((name) => limits[name].perMinute);
    this.bursts = this.dimensions.map((name) =>
      microsFor(limits[name].burst, limits[name].perMinute),
    );
  }

  /** The price under the full limits, as the shared bucket charges it. */
  chargeOf(amounts: Amounts<D>): Charge {
    return { costs: this.#costs(amounts, 1), bursts: this.bursts };
  }

  /**
   * The price when `sharers` processes split the limits without talking to each other: everything
   * costs that many times as much refill. A burst is the same time to full; it is raised to the price of a single
   * request where a share is smaller than one, so that a share is never nothing.
   */
  shareOf(amounts: Amounts<D>, sharers: number): Charge {
    if (sharers === 1) return this.chargeOf(amounts);
    const costs = this.#costs(amounts, sharers);
    const bursts = this.bursts.map((burst, d) => Math.max(burst, costs[d] ?? 0));
    return { costs, bursts };
  }

  #costs(amounts: Amounts<D>, sharers: number): readonly number[] {
    return this.dimensions.map((name, d) =>
      microsFor((amounts[name] ?? 0) * sharers, this.#perMinute[d] ?? 0),
    );
  }
}

/** A request that costs more than a full bucket would wait for ever. */
export function exceedsBurst({ costs, bursts }: Charge): boolean {
  return costs.some((cost, d) => cost > (bursts[d] ?? 0));
}

/** The difference a settlement makes: negative entries are refunds. */
export function differenceOf<D extends string>(
  reserved: Amounts<D>,
  actual: Amounts<D>,
  dimensions: readonly D[],
): Amounts<D> {
  const difference: Partial<Record<D, number>> = {};
  for (const name of dimensions) {
    const before = reserved[name] ?? 0;
    difference[name] = (actual[name] ?? before) - before;
  }
  return difference;
}

/** Two differences as one. */
export function sumOf<D extends string>(
  one: Amounts<D>,
  other: Amounts<D>,
  dimensions: readonly D[],
): Amounts<D> {
  const sum: Partial<Record<D, number>> = {};
  for (const name of dimensions) sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return sum;
}

/** The longest any dimension takes to fill from empty. */
export function timeToFullMs<D extends string>(limits: Limits<D>): number {
  return Math.max(...new PriceList(limits).bursts) / 1_000;
}
