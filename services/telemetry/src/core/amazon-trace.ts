import { isSpanId, isTraceId } from './trace-ids';

/** What `X-Amzn-Trace-Id` says; a load balancer knows the trace but has no span of its own. */
export interface AmazonTrace {
  readonly traceId: string;
  readonly spanId?: string;
  /** Absent when the decision is left to us. */
  readonly sampled?: boolean;
}

const ROOT = /^1-([\da-f]{8})-([\da-f]{24})$/;

/** Reads `Root=1-…;Parent=…;Sampled=…`; fields we do not know (`Self`, `Lineage`) are passed over. */
export function parseAmazonTrace(header: string): AmazonTrace | undefined {
  const fields = new Map(
    header.split(';').map((field) => {
      const [name = '', value = ''] = field.trim().split('=', 2);
      return [name, value];
    }),
  );
  const [, seconds, random] = ROOT.exec(fields.get('Root') ?? '') ?? [];
  const traceId = `${seconds ?? ''}${random ?? ''}`;
  if (!isTraceId(traceId)) return undefined;

  const parent = fields.get('Parent') ?? '';
  const sampled = fields.get('Sampled');
  return {
    traceId,
    ...(isSpanId(parent) && { spanId: parent }),
    ...((sampled === '0' || sampled === '1') && { sampled: sampled === '1' }),
  };
}

export function formatAmazonTrace(trace: Required<AmazonTrace>): string {
  return `Root=${amazonRoot(trace.traceId)};Parent=${trace.spanId};Sampled=${trace.sampled ? '1' : '0'}`;
}

/** A trace id as load balancer logs and X-Ray write it. */
export function amazonRoot(traceId: string): string {
  return `1-${traceId.slice(0, 8)}-${traceId.slice(8)}`;
}
