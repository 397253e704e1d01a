import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

import type { HeaderLookup, TraceContext } from './core/trace-context';
import { childSpan, continueTrace, outgoingHeaders, traceHeaders } from './core/trace-context';
import type { RandomHex } from './core/trace-ids';

/** Knows, anywhere below `run`, which trace the work belongs to. */
export interface Tracer {
  /** Joins or begins the trace of an incoming request. */
  readonly accept: (header: HeaderLookup) => TraceContext;
  /** Does the work inside the given context; whatever it starts, awaited or not, is inside too. */
  readonly run: <T>(context: TraceContext, work: () => T) => T;
  /**
   * Does the work inside the trace of an incoming request, which is only parsed once somebody asks where we are: on a hot
   * path most requests say nothing worth a line. Nothing else of the request is kept: timers that the work starts know their
   * trace too, and an idle connection's would hold on to the last prompt that came through it.
   */
  readonly join: <T>(header: HeaderLookup, work: () => T) => T;
  /** Does the work in a span below the current one; in a new trace when there is none. */
  readonly runChild: <T>(work: (context: TraceContext) => T) => T;
  readonly current: () => TraceContext | undefined;
  /** Headers for an outgoing call; none outside of a trace. */
  readonly headers: () => Readonly<Record<string, string>>;
}

export interface TracerOptions {
  /** @default the operating system's randomness */
  readonly randomHex?: RandomHex;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

export function createTracer(options: TracerOptions = {}): Tracer {
  const storage = new AsyncLocalStorage<() => TraceContext>();
  const clock = options.clock ?? Date.now;
  const randomHex = options.randomHex ?? ((byteCount) => randomBytes(byteCount).toString('hex'));

  const accept = (header: HeaderLookup): TraceContext =>
    continueTrace(header, { nowMs: clock(), randomHex });
  const current = (): TraceContext | undefined => storage.getStore()?.();
  const next = (): TraceContext => {
    const context = current();
    return context === undefined ? accept(() => undefined) : childSpan(context, randomHex);
  };
  const run = <T>(context: TraceContext, work: () => T): T => storage.run(() => context, work);

  return {
    accept,
    run,
    join: (header, work) => {
      const said = traceHeaders(header);
      let context: TraceContext | undefined;
      return storage.run(() => (context ??= accept(said)), work);
    },
    runChild: (work) => {
      const context = next();
      return run(context, () => work(context));
    },
    current,
    headers: () => {
      const context = current();
      return context === undefined ? {} : outgoingHeaders(context);
    },
  };
}
