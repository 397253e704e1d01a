import { z } from 'zod';
import { amountSchema, positiveInteger } from './quantities';

/** The timeout ladder: each rung must be shorter than the next (a truth check holds it to that). */
export const timeoutsSchema = z.strictObject({
  connectMs: positiveInteger,
  /** From the call to its first text, tool-use or thinking delta. */
  firstContentMs: positiveInteger,
  firstContentThinkingMs: positiveInteger,
  /** A long prompt takes longer to read; added to the two above. */
  firstContentMsPerThousandInputTokens: amountSchema,
  /** All attempts together, until the first content. */
  requestDeadlineMs: positiveInteger,
  requestDeadlineThinkingMs: positiveInteger,
  /** Silence between two chunks of a stream; a stream has no total limit. */
  chunkGapMs: positiveInteger,
  nonStreamingTotalMs: positiveInteger,
  albIdleMs: positiveInteger,
  keepAliveMs: positiveInteger,
  headersTimeoutMs: positiveInteger,
  /** A comment is sent after this long without data. */
  heartbeatMs: positiveInteger,
  /** CloudFront's wait for the next packet of the origin. */
  edgeReadMs: positiveInteger,
  edgeWebSocketIdleMs: positiveInteger,
  /** How soon the departure of a client is noticed. */
  disconnectNoticeMs: positiveInteger,
  /** A call longer than this is logged with model and request id. */
  longCallLogMs: positiveInteger,
});

export const DEFAULT_TIMEOUTS: z.input<typeof timeoutsSchema> = {
  connectMs: 10_000,
  firstContentMs: 20_000,
  firstContentThinkingMs: 120_000,
  firstContentMsPerThousandInputTokens: 150,
  requestDeadlineMs: 60_000,
  requestDeadlineThinkingMs: 280_000,
  chunkGapMs: 300_000,
  nonStreamingTotalMs: 300_000,
  albIdleMs: 600_000,
  keepAliveMs: 620_000,
  headersTimeoutMs: 630_000,
  heartbeatMs: 15_000,
  edgeReadMs: 60_000,
  edgeWebSocketIdleMs: 600_000,
  disconnectNoticeMs: 1_000,
  longCallLogMs: 60_000,
};

/** How long a target may take to its first content, given what it was asked. */
export function firstContentLimitMs(
  timeouts: Readonly<z.output<typeof timeoutsSchema>>,
  request: { readonly inputTokens: number; readonly thinking: boolean },
): number {
  const base = request.thinking ? timeouts.firstContentThinkingMs : timeouts.firstContentMs;
  const reading = (request.inputTokens / 1_000) * timeouts.firstContentMsPerThousandInputTokens;
  return Math.round(base + reading);
}
