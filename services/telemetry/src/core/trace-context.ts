import { amazonRoot, formatAmazonTrace, parseAmazonTrace } from './amazon-trace';
import type { RandomHex } from './trace-ids';
import { newSpanId, newTraceId } from './trace-ids';
import { formatTraceparent, parseTraceparent } from './traceparent';
import type { TracestateMember } from './tracestate';
import { formatTracestate, parseTracestate } from './tracestate';

/** Where in a trace we are. */
export interface TraceContext {
  readonly traceId: string;
  /** Our own span, not our caller's. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly sampled: boolean;
  readonly tracestate: readonly TracestateMember[];
  /** The load balancer's id of this request, when it differs from the trace: its access log is searched by it. */
  readonly loadBalancerRoot?: string;
}

/** Looks a request header up by its lower-case name; several headers of one name come as a list. */
export type HeaderLookup = (name: string) => string | readonly string[] | null | undefined;

/** What a request says of its trace, without the request. */
export function traceHeaders(header: HeaderLookup): HeaderLookup {
  const said: Readonly<Record<string, ReturnType<HeaderLookup>>> = {
    traceparent: header('traceparent'),
    tracestate: header('tracestate'),
    'x-amzn-trace-id': header('x-amzn-trace-id'),
  };
  return (name) => said[name];
}

export interface TraceSource {
  readonly nowMs: number;
  readonly randomHex: RandomHex;
}

/** Joins the caller's trace, else the load balancer's, else begins one. Always with a span of our own. */
export function continueTrace(header: HeaderLookup, source: TraceSource): TraceContext {
  const parent = parseTraceparent(single(header('traceparent')));
  const amazon = parseAmazonTrace(single(header('x-amzn-trace-id')));
  const spanId = newSpanId(source.randomHex);

  if (parent !== undefined) {
    return {
      traceId: parent.traceId,
      spanId,
      parentSpanId: parent.spanId,
      sampled: parent.sampled,
      tracestate: parseTracestate(header('tracestate') ?? '') ?? [],
      ...(amazon && amazon.traceId !== parent.traceId
        ? { loadBalancerRoot: amazonRoot(amazon.traceId) }
        : {}),
    };
  }
  return {
    traceId: amazon?.traceId ?? newTraceId(source.nowMs, source.randomHex),
    spanId,
    ...(amazon?.spanId !== undefined && { parentSpanId: amazon.spanId }),
    sampled: amazon?.sampled ?? true,
    tracestate: [],
  };
}

/** A span below the given one, in the same trace. */
export function childSpan(context: TraceContext, randomHex: RandomHex): TraceContext {
  return { ...context, spanId: newSpanId(randomHex), parentSpanId: context.spanId };
}

/** What to send along with a call, so that the callee joins the trace below our span. */
export function outgoingHeaders(context: TraceContext): Readonly<Record<string, string>> {
  const tracestate = formatTracestate(context.tracestate);
  return {
    traceparent: formatTraceparent(context),
    ...(tracestate !== '' && { tracestate }),
    'x-amzn-trace-id': formatAmazonTrace(context),
  };
}

/** Two of a header that may come once are as bad as none. */
function single(value: string | readonly string[] | null | undefined): string {
  if (typeof value === 'string') return value;
  return value?.length === 1 ? (value[0] ?? '') : '';
}
