import type { PlatformConfiguration } from '@matsuri/contract';
import { NOTHING_ASKED } from '../models/model-demand';
import { burstyCount, seededRandom, standardNormal, type Random } from '../random';
import { expectedTrafficAt, type Traffic } from './expected-traffic';
import { knownSizes, type RequestSize } from './request-sizes';
import { workloadOf, type Workload } from './workload';
import { yearTraffic } from './year-traffic';

/** Coefficient of variation of the gaps between requests. */
const CV = 1.3;
/** Expectations change slowly; they are looked up this often. */
const LOOKUP_SECONDS = 10;
/** Spread of request sizes around their mean (of the logarithm): from greetings to whole chapters. */
const SIZE_SPREAD = 0.8;

export interface CalendarTraffic {
  readonly name: string;
  readonly configuration: PlatformConfiguration;
  readonly startsAtMs: number;
  readonly seconds: number;
  readonly seed: number;
}

/** Requests drawn, second by second, from what the calendar lets expect. */
export function calendarWorkload(traffic: CalendarTraffic): Workload {
  const random = seededRandom(traffic.seed);
  const expected = lookups(traffic);
  const at = (second: number) => expected[Math.floor(second / LOOKUP_SECONDS)];
  const arrivals = Uint32Array.from({ length: traffic.seconds }, (_, second) =>
    burstyCount(random, requestsPerSecond(at(second)), CV),
  );
  const total = arrivals.reduce((sum, it) => sum + it, 0);
  const secondOf = secondsInOrder(arrivals);
  const sizes = knownSizes(total, () => drawnSize(random, at(secondOf())));
  return workloadOf({ name: traffic.name, arrivals, sizes, demandAt: demandOf(traffic) });
}

/** What the same calendar lets expect of the models. */
function demandOf({ configuration, startsAtMs, seconds }: CalendarTraffic): Workload['demandAt'] {
  const { at } = yearTraffic(configuration, startsAtMs, startsAtMs + seconds * 1_000);
  const demands = Array.from(
    { length: Math.ceil(seconds / LOOKUP_SECONDS) },
    (_, index) => at(startsAtMs + index * LOOKUP_SECONDS * 1_000).byAlias,
  );
  return (second) => demands[Math.floor(second / LOOKUP_SECONDS)] ?? NOTHING_ASKED;
}

function lookups({ configuration, startsAtMs, seconds }: CalendarTraffic): readonly Traffic[] {
  return Array.from({ length: Math.ceil(seconds / LOOKUP_SECONDS) }, (_, index) =>
    expectedTrafficAt(configuration, startsAtMs + index * LOOKUP_SECONDS * 1_000),
  );
}

function requestsPerSecond(traffic: Traffic | undefined): number {
  if (traffic === undefined) return 0;
  return traffic.complex.requestsPerSecond + traffic.simple.requestsPerSecond;
}

/** Each call gives the second in which the next request arrived. */
function secondsInOrder(arrivals: Uint32Array): () => number {
  let second = 0;
  let given = 0;
  return () => {
    while (given >= (arrivals[second] ?? Number.POSITIVE_INFINITY)) {
      second += 1;
      given = 0;
    }
    given += 1;
    return second;
  };
}

/** One request of the given traffic. */
export function drawnSize(random: Random, traffic: Traffic | undefined): RequestSize {
  if (traffic === undefined) return { inputTokens: 0, outputTokens: 0 };
  const complex = random() * requestsPerSecond(traffic) < traffic.complex.requestsPerSecond;
  const { meanSize } = complex ? traffic.complex : traffic.simple;
  // The mean of such a factor is one.
  const factor = Math.exp(SIZE_SPREAD * standardNormal(random) - (SIZE_SPREAD * SIZE_SPREAD) / 2);
  return {
    inputTokens: meanSize.inputTokens * factor,
    outputTokens: meanSize.outputTokens * factor,
  };
}
