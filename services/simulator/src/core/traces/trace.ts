import type { RequestSize } from '../traffic/request-sizes';

/** A recorded trace: single requests, or the rate of each window. */
export type Trace = RequestTrace | RateTrace;

export interface RequestTrace {
  readonly kind: 'requests';
  readonly name: string;
  /** In the order of their arrival. */
  readonly requests: readonly TracedRequest[];
}

interface TracedRequest extends RequestSize {
  readonly atSeconds: number;
}

export interface RateTrace {
  readonly kind: 'rates';
  readonly name: string;
  readonly windowSeconds: number;
  readonly requestsPerSecond: readonly number[];
}

/** A file that is not a trace; says where and why. */
export class TraceFormatError extends Error {
  override readonly name = 'TraceFormatError';
  constructor(trace: string, line: number, problem: string) {
    super(`${trace}, line ${String(line)}: ${problem}`);
  }
}
