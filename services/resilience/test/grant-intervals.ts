export interface Grant {
  readonly atMicros: number;
  /** Negative for a refund. */
  readonly amount: number;
}

/**
 * The largest of `granted − rate · (b − a)` over every interval [a, b] of grant times: what the bucket must
 * have held at once. One pass: for each right end b, the best left end is the running minimum of
 * (sum before a) − rate · a. Events of the same instant count in the order given.
 */
export function worstBurst(grants: readonly Grant[], perMicro: number): number {
  const sorted = [...grants].sort((a, b) => a.atMicros - b.atMicros);
  const origin = sorted[0]?.atMicros ?? 0;
  let sum = 0;
  let lowest = Infinity;
  let worst = 0;
  for (const { atMicros, amount } of sorted) {
    const earned = (atMicros - origin) * perMicro;
    lowest = Math.min(lowest, sum - earned);
    sum += amount;
    worst = Math.max(worst, sum - earned - lowest);
  }
  return worst;
}
