/** What one request asks for. */
export interface RequestSize {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Figures of the model of a request's time in a slot. */
const FIXED_SECONDS = 0.3;
const INPUT_TOKENS_PER_SECOND = 8_000;
const OUTPUT_TOKENS_PER_SECOND = 60;

/** How long one request holds a slot. */
export function serviceSeconds({ inputTokens, outputTokens }: RequestSize): number {
  return (
    FIXED_SECONDS + inputTokens / INPUT_TOKENS_PER_SECOND + outputTokens / OUTPUT_TOKENS_PER_SECOND
  );
}

/** The same in whole steps of the simulation; on average over many requests it is the same time. */
function serviceSteps(size: RequestSize): number {
  return Math.max(1, Math.round(serviceSeconds(size)));
}

/**
 * The work of a stream of requests, numbered in the order of their arrival. Either each request is known,
 * or there are so many that the law of large numbers stands in for them.
 */
export interface RequestSizes {
  /** No request holds its slot longer. */
  readonly longestSteps: number;
  /** Adds to `departures[(second + steps) % length]` what `count` requests from `first` on give back. */
  readonly begin: (first: number, count: number, second: number, departures: Float64Array) => void;
  /** Exact seconds of slot that these requests need. */
  readonly busySeconds: (first: number, count: number) => number;
  /** Of all of them. */
  readonly meanSize: RequestSize;
}

/** Every request by itself; `sizeOf` is asked once for each, in the order of their arrival. */
export function knownSizes(count: number, sizeOf: (index: number) => RequestSize): RequestSizes {
  const steps = new Uint16Array(count);
  const busy = new Float64Array(count + 1);
  let inputTokens = 0;
  let outputTokens = 0;
  for (let index = 0; index < count; index += 1) {
    const size = sizeOf(index);
    steps[index] = serviceSteps(size);
    busy[index + 1] = (busy[index] ?? 0) + serviceSeconds(size);
    inputTokens += size.inputTokens;
    outputTokens += size.outputTokens;
  }
  return {
    longestSteps: steps.reduce((longest, it) => Math.max(longest, it), 1),
    begin: (first, count, second, departures) => {
      const length = departures.length;
      for (let index = first; index < first + count; index += 1) {
        const slot = (second + (steps[index] ?? 1)) % length;
        departures[slot] = (departures[slot] ?? 0) + 1;
      }
    },
    busySeconds: (first, count) => between(busy, first, count),
    meanSize: meanOf({ inputTokens, outputTokens }, count),
  };
}

/** Requests beyond counting, whose times are spread exactly as in the sample. */
export function averagedSizes(sample: readonly RequestSize[]): RequestSizes {
  const share = sharesBySteps(sample);
  const meanBusy = sample.reduce((sum, size) => sum + serviceSeconds(size), 0) / sample.length;
  const total = {
    inputTokens: sample.reduce((sum, size) => sum + size.inputTokens, 0),
    outputTokens: sample.reduce((sum, size) => sum + size.outputTokens, 0),
  };
  return {
    longestSteps: share.length - 1,
    begin: (_first, count, second, departures) => {
      const length = departures.length;
      for (let steps = 1; steps < share.length; steps += 1) {
        const slot = (second + steps) % length;
        departures[slot] = (departures[slot] ?? 0) + count * (share[steps] ?? 0);
      }
    },
    busySeconds: (_first, count) => count * meanBusy,
    meanSize: meanOf(total, sample.length),
  };
}

function meanOf({ inputTokens, outputTokens }: RequestSize, count: number): RequestSize {
  const share = 1 / Math.max(1, count);
  return { inputTokens: inputTokens * share, outputTokens: outputTokens * share };
}

function sharesBySteps(sample: readonly RequestSize[]): Float64Array {
  const steps = sample.map(serviceSteps);
  const share = new Float64Array(steps.reduce((longest, it) => Math.max(longest, it), 1) + 1);
  for (const it of steps) share[it] = (share[it] ?? 0) + 1 / steps.length;
  return share;
}

function between(totals: Float64Array, first: number, count: number): number {
  return (totals[first + count] ?? 0) - (totals[first] ?? 0);
}
