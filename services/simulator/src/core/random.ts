/** Uniform in [0, 1). Everything random in a run comes from one seeded source, so runs repeat. */
export type Random = () => number;

const { PI, cos, exp, imul, log, max, pow, round, sqrt } = Math;

const BELOW_THIS_POISSON_IS_COUNTED = 30;
const ABOVE_THIS_COUNTS_ARE_NORMAL = 50;

/** A small, fast generator (mulberry32); good enough for traffic, not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function standardNormal(random: Random): number {
  const radius = sqrt(-2 * log(1 - random()));
  return radius * cos(2 * PI * random());
}

/** Gamma with mean `shape` and variance `shape` (Marsaglia and Tsang). */
function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * pow(1 - random(), 1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / sqrt(9 * d);
  for (;;) {
    const x = standardNormal(random);
    const v = pow(1 + c * x, 3);
    if (v > 0 && log(1 - random()) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
  }
}

function poisson(random: Random, mean: number): number {
  if (mean >= BELOW_THIS_POISSON_IS_COUNTED) return roundedNormal(random, mean, mean);
  const limit = exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/**
 * Arrivals in a window whose gaps have the coefficient of variation `cv` (at least 1): mean `mean`,
 * variance cv² × mean, as any such renewal process has over windows longer than its gaps.
 */
export function burstyCount(random: Random, mean: number, cv: number): number {
  if (mean <= 0) return 0;
  const dispersion = max(1, cv * cv);
  if (mean > ABOVE_THIS_COUNTS_ARE_NORMAL) return roundedNormal(random, mean, dispersion * mean);
  const excess = dispersion - 1;
  return poisson(random, excess === 0 ? mean : gamma(random, mean / excess) * excess);
}

function roundedNormal(random: Random, mean: number, variance: number): number {
  return max(0, round(mean + sqrt(variance) * standardNormal(random)));
}
