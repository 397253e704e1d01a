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
export function dimensionsOf<D extends string>(limits: Limits<D>): readonly D[] {
  return Object.keys(limits)
    .filter((name): name is D => name in limits)
    .sort();
}

// Rounded up: a grant may cost a microsecond too much, never too little.
function microsFor(amount: number, perMinute: number): number {
  return Math.ceil((amount * MICROS_PER_MINUTE) / perMinute);
}

/** The price under the full limits, as the shared bucket charges it. */
export function chargeOf<D extends string>(limits: Limits<D>, amounts: Amounts<D>): Charge {
  return shareOf(limits, amounts, 1);
}

/**
 * The price when `sharers` processes split the limits without talking to each other: everything
 * costs that many times as much refill. A burst is the same time to full; it is raised to the price of a single
 * request where a share is smaller than one, so that a share is never nothing.
 */
export function shareOf<D extends string>(
  limits: Limits<D>,
  amounts: Amounts<D>,
  sharers: number,
): Charge {
  const dimensions = dimensionsOf(limits);
  const costs = dimensions.map((name) =>
    microsFor((amounts[name] ?? 0) * sharers, limits[name].perMinute),
  );
  const bursts = burstsOf(limits).map((burst, d) =>
    sharers > 1 ? Math.max(burst, costs[d] ?? 0) : burst,
  );
  return { costs, bursts };
}

/** How long each dimension takes to fill from empty. */
export function burstsOf<D extends string>(limits: Limits<D>): readonly number[] {
  return dimensionsOf(limits).map((name) => {
    const { burst, perMinute } = limits[name];
    return microsFor(burst, perMinute);
  });
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

/** The longest any dimension takes to fill from empty. */
export function timeToFullMs<D extends string>(limits: Limits<D>): number {
  return Math.max(...burstsOf(limits)) / 1_000;
}
