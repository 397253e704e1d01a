import type { Pacing } from './models';
import { seededRandom } from './seeded-random';

/** When the parts of one answer are due, counted from the moment the call was accepted. */
export interface Timeline {
  readonly messageStartAtMs: number;
  readonly firstTokenAtMs: number;
  readonly msPerToken: number;
}

/** A model announces its message about halfway to the first token. */
const MESSAGE_START_SHARE = 0.5;

/** Lays out an answer in time; the seed makes the jitter of one prompt repeatable. */
export function timelineOf(pacing: Pacing, uncachedInputTokens: number, seed: number): Timeline {
  const random = seededRandom(seed);
  const vary = (value: number): number => value * (1 + pacing.jitter * (2 * random.next() - 1));
  const firstTokenAtMs = vary(
    pacing.firstTokenMs + (pacing.firstTokenMsPer1000Input * uncachedInputTokens) / 1_000,
  );
  return {
    messageStartAtMs: firstTokenAtMs * MESSAGE_START_SHARE,
    firstTokenAtMs,
    msPerToken: vary(1_000 / pacing.tokensPerSecond),
  };
}

/** When the last of so many tokens is out. */
export function finishedAtMs(timeline: Timeline, tokens: number): number {
  return timeline.firstTokenAtMs + Math.max(0, tokens - 1) * timeline.msPerToken;
}
