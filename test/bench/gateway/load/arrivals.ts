/**
 * When requests are due, in milliseconds from the start: one in every interval of the rate, at a random
 * moment of it, so that arrivals do not fall into step with anybody's timers. All are known before the first
 * is sent; a system that stalls delays none of them on paper, which is what keeps its stalls in the figures.
 */
export function arrivalTimesMs(
  ratePerSecond: number,
  seconds: number,
  random: () => number,
): Float64Array {
  const intervalMs = 1_000 / ratePerSecond;
  return Float64Array.from(
    { length: Math.floor(ratePerSecond * seconds) },
    (_, index) => (index + random()) * intervalMs,
  );
}
