import { MODEL_CATALOGUE, type PlatformOverrides } from '@matsuri/contract';

const PLENTY_PER_MINUTE = 600_000;
const PLENTY_TOKENS_PER_MINUTE = 1_000_000_000;

/** Every target of every chat model, with limits nobody reaches. */
export function plentifulQuotas(): NonNullable<PlatformOverrides['quotas']> {
  return Object.entries(MODEL_CATALOGUE.profiles).flatMap(([profile, { callableFrom }]) =>
    callableFrom.map((region) => ({
      profile,
      region,
      requestsPerMinute: PLENTY_PER_MINUTE,
      tokensPerMinute: PLENTY_TOKENS_PER_MINUTE,
    })),
  );
}

/** The timeout ladder with shorter rungs, in the same order, so that a run sees every one of them. */
const SHORT_TIMEOUTS = {
  connectMs: 1_000,
  firstContentMs: 1_500,
  firstContentThinkingMs: 2_500,
  firstContentMsPerThousandInputTokens: 0.1,
  requestDeadlineMs: 4_000,
  requestDeadlineThinkingMs: 5_000,
  chunkGapMs: 6_000,
  nonStreamingTotalMs: 6_000,
  heartbeatMs: 250,
} as const;

/** What processes under test are told, unless a suite says otherwise. */
export function testPlatform(overrides: PlatformOverrides = {}): PlatformOverrides {
  return {
    environment: 'test',
    quotas: plentifulQuotas(),
    acknowledged: { 'threshold-unreachable': 'Nothing is scaled in a test.' },
    ...overrides,
    timeouts: { ...SHORT_TIMEOUTS, ...overrides.timeouts },
    gateway: { burstRequests: 5_000, ...overrides.gateway },
    breaker: { openSeconds: 1, maxOpenSeconds: 2, halfOpenMaxWaitSeconds: 5, ...overrides.breaker },
    // Connections to the model go soon after they were last used, and can be missed if they do not.
    pools: { perTask: { bedrock: { idleTimeoutMs: 2_000 } } },
    ledger: { orphanAfterSeconds: 60, sweepSeconds: 2, ...overrides.ledger },
  };
}
