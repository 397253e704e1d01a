import type { InvocationEvent } from '../bedrock/invocation-event';
import type { MetricDatum } from '../cloudwatch/core/metric';

/** The metrics Bedrock publishes for one call that is over. */
export function bedrockMetrics(event: InvocationEvent): readonly MetricDatum[] {
  const counted: Readonly<Record<string, number | undefined>> =
    event.kind === 'throttle'
      ? { InvocationThrottles: 1 }
      : {
          Invocations: 1,
          InvocationLatency: event.latencyMs,
          TimeToFirstToken: event.timeToFirstTokenMs,
          InputTokenCount: event.inputTokens,
          OutputTokenCount: event.outputTokens,
          EstimatedTPMQuotaUsage: event.quotaTokens,
          InvocationClientErrors: event.kind === 'client-error' ? 1 : undefined,
          InvocationServerErrors: event.kind === 'server-error' ? 1 : undefined,
        };
  return Object.entries(counted).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [
          {
            namespace: 'AWS/Bedrock',
            name,
            dimensions: { ModelId: event.modelId },
            timestampMs: event.endedAtMs,
            samples: [{ value, count: 1 }],
          },
        ],
  );
}
