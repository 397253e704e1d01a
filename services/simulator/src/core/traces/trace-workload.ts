import { burstyCount, seededRandom, type Random } from '../random';
import {
  averagedSizes,
  knownSizes,
  type RequestSize,
  type RequestSizes,
} from '../traffic/request-sizes';
import { workloadOf, type Workload } from '../traffic/workload';
import type { RateTrace, RequestTrace } from './trace';

/** A recorded service is small; shifted copies of it make a larger one without inventing anything. */
const COPIES = 16;
const SHIFT_SECONDS = 7;

/** Coefficient of variation of the gaps between requests drawn from a rate. */
const CV = 1.3;

/** Above this many, single requests are no longer told apart. */
const MOST_KNOWN_REQUESTS = 5_000_000;

const NO_SIZE: RequestSize = { inputTokens: 0, outputTokens: 0 };

/**
 * Every recorded request, sixteen times, seven seconds apart. Time is bent into a circle, so that all copies
 * run from beginning to end: a service that fills up from nothing is not in the recording.
 */
export function requestWorkload({ name, requests }: RequestTrace): Workload {
  const seconds = Math.floor(requests.at(-1)?.atSeconds ?? 0) + 1;
  const all = Array.from({ length: COPIES }, (_, copy) =>
    requests.map((it) => ({ ...it, atSeconds: (it.atSeconds + copy * SHIFT_SECONDS) % seconds })),
  )
    .flat()
    .sort((a, b) => a.atSeconds - b.atSeconds);
  const arrivals = new Uint32Array(seconds);
  for (const { atSeconds } of all) {
    const second = Math.floor(atSeconds);
    arrivals[second] = (arrivals[second] ?? 0) + 1;
  }
  return workloadOf({
    name,
    arrivals,
    sizes: knownSizes(all.length, (index) => all[index] ?? NO_SIZE),
  });
}

/** Arrivals drawn from the recorded rates, with sizes drawn from recorded requests. */
export function rateWorkload(
  trace: RateTrace,
  sample: readonly RequestSize[],
  seed: number,
): Workload {
  const random = seededRandom(seed);
  const arrivals = drawnArrivals(random, trace);
  return workloadOf({ name: trace.name, arrivals, sizes: drawnSizes(random, sample, arrivals) });
}

function drawnArrivals(random: Random, { windowSeconds, requestsPerSecond }: RateTrace) {
  return Uint32Array.from({ length: requestsPerSecond.length * windowSeconds }, (_, second) =>
    burstyCount(random, requestsPerSecond[Math.floor(second / windowSeconds)] ?? 0, CV),
  );
}

/** Sizes for so many requests, drawn from the sample, or averaged over it when they are too many. */
function drawnSizes(
  random: Random,
  sample: readonly RequestSize[],
  arrivals: Uint32Array,
): RequestSizes {
  const total = arrivals.reduce((sum, it) => sum + it, 0);
  if (total > MOST_KNOWN_REQUESTS) return averagedSizes(sample);
  return knownSizes(total, () => sample[Math.floor(random() * sample.length)] ?? NO_SIZE);
}
