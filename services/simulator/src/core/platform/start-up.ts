import { seededRandom, standardNormal } from '../random';

/** How long tasks take from the order to their first request. */
export interface StartUp {
  /** On average. */
  readonly seconds: number;
  /** Repeats how single tasks differ. @default all take exactly the average */
  readonly spreadSeed?: number;
}

/** A start-up as asked for on the command line. */
export function startUpOf(
  seconds: number,
  { variance, seed }: { readonly variance: boolean; readonly seed: number },
): StartUp {
  return variance ? { seconds, spreadSeed: seed } : { seconds };
}

interface Phase {
  readonly seconds: number;
  /** Spread of the phase's logarithm around its mean. */
  readonly spread: number;
}

/**
 * A cold task of 50 s, phase by phase, those first that a platform can save. Detection is the scheduler's own
 * rhythm and does not vary; capacity and registries do, health checks only as much as they miss a beat.
 */
const COLD: readonly Phase[] = [
  /* pull      */ { seconds: 15, spread: 0.35 },
  /* provision */ { seconds: 10, spread: 0.35 },
  /* health    */ { seconds: 10, spread: 0.15 },
  /* traffic   */ { seconds: 5, spread: 0.2 },
  /* detection */ { seconds: 10, spread: 0 },
];
const COLD_SECONDS = COLD.reduce((sum, { seconds }) => sum + seconds, 0);

/** No phase takes longer than so many times its mean: ECS would have given up on the task. */
const LONGEST_FACTOR = 3;

/** Draws start-ups. */
export interface StartUps {
  /** No draw is longer. */
  readonly longestSeconds: number;
  readonly draw: () => number;
}

/** How tasks start: always alike, or each by its own luck around the same mean. */
export function startUpsOf({ seconds, spreadSeed }: StartUp): StartUps {
  if (spreadSeed === undefined) return { longestSeconds: seconds, draw: () => seconds };
  const random = seededRandom(spreadSeed);
  const phases = phasesOf(seconds);
  const drawn = ({ seconds, spread }: Phase) => {
    // The mean of such a factor is one.
    const factor = Math.exp(spread * standardNormal(random) - (spread * spread) / 2);
    return seconds * Math.min(LONGEST_FACTOR, factor);
  };
  return {
    longestSeconds: Math.ceil(seconds * LONGEST_FACTOR),
    draw: () => Math.round(phases.reduce((sum, phase) => sum + drawn(phase), 0)),
  };
}

/**
 * The phases of a start-up of this length. A shorter one has saved phases in their order (15 s: a warm task, which
 * was pulled, placed and found healthy before it was needed), a longer one pulls a larger image.
 */
export function phasesOf(seconds: number): readonly Phase[] {
  let saved = COLD_SECONDS - seconds;
  return COLD.map((phase) => {
    const taken = Math.min(saved, phase.seconds);
    saved -= taken;
    return { ...phase, seconds: phase.seconds - taken };
  });
}
