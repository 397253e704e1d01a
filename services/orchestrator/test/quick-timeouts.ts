import type { PlatformOverrides } from '@matsuri/contract';

/** The ladder, every rung a fraction of its usual length, in the same order. */
export const QUICK_TIMEOUTS = {
  connectMs: 500,
  firstContentMs: 1_000,
  firstContentThinkingMs: 2_000,
  firstContentMsPerThousandInputTokens: 0,
  requestDeadlineMs: 2_500,
  requestDeadlineThinkingMs: 3_000,
  chunkGapMs: 3_500,
  nonStreamingTotalMs: 3_500,
  heartbeatMs: 300,
} satisfies PlatformOverrides['timeouts'];
