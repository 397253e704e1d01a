import { isSpanId, isTraceId } from './trace-ids';

/** What a caller says about the trace it is in. */
export interface TraceParent {
  readonly traceId: string;
  /** The caller's own span. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const FIELDS = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/s;
const FORBIDDEN_VERSION = 'ff';
const SAMPLED_FLAG = 0x01;

/**
 * Reads a W3C `traceparent`. Version 00 must match to the letter; a later version is read as far
 * as 00 goes, as the specification asks. Anything else is no parent at all.
 */
export function parseTraceparent(header: string): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = FIELDS.exec(header) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined) return undefined;
  if (version === FORBIDDEN_VERSION || (version === '00' && more !== undefined)) return undefined;
  if (!isTraceId(traceId) || !isSpanId(spanId)) return undefined;
  return { traceId, spanId, sampled: (parseInt(flags ?? '', 16) & SAMPLED_FLAG) !== 0 };
}

export function formatTraceparent(parent: TraceParent): string {
  return `00-${parent.traceId}-${parent.spanId}-${parent.sampled ? '01' : '00'}`;
}
