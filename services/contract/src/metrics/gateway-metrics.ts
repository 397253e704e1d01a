import type { MetricDefinition } from './metric';

/** What the model gateway of a task says about tokens, queues, limits and money. */
export const GATEWAY_METRICS = {
  tokensPerSecond: {
    name: 'TokensPerSecond',
    unit: 'Count/Second',
    dimensions: ['Model'],
    aggregate: 'last',
  },
  /** Calls that wait here, and those turned away for want of room until they are due back. */
  bedrockQueueDepth: {
    name: 'BedrockQueueDepth',
    unit: 'Count',
    dimensions: [],
    aggregate: 'max',
  },
  activeBedrockInvocations: {
    name: 'ActiveBedrockInvocations',
    unit: 'Count',
    dimensions: [],
    aggregate: 'max',
  },
  gatewayThrottles: {
    name: 'gateway.throttles',
    unit: 'Count',
    dimensions: ['Model'],
    aggregate: 'sum',
  },
  gatewayRefusals: {
    name: 'gateway.refusals',
    unit: 'Count',
    dimensions: ['Reason'],
    aggregate: 'sum',
  },
  gatewayFailovers: {
    name: 'gateway.failovers',
    unit: 'Count',
    dimensions: ['Model'],
    aggregate: 'sum',
  },
  gatewayAddedLatency: {
    name: 'gateway.added_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  clientDisconnects: {
    name: 'gateway.client_disconnects',
    unit: 'Count',
    dimensions: [],
    aggregate: 'sum',
  },
  longCalls: {
    name: 'gateway.calls_past_limit',
    unit: 'Count',
    dimensions: ['Limit'],
    aggregate: 'sum',
  },
  spendDollars: {
    name: 'gateway.spend_usd',
    unit: 'None',
    dimensions: ['Model'],
    aggregate: 'sum',
  },
  limiterDegraded: {
    name: 'gateway.limiter_degraded',
    unit: 'Count',
    dimensions: [],
    aggregate: 'max',
  },
  tokenValidation: {
    name: 'api_token.validation_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  databasePoolActive: {
    name: 'database_pool.active',
    unit: 'Count',
    dimensions: [],
    aggregate: 'max',
  },
  databasePoolWaiting: {
    name: 'database_pool.waiting',
    unit: 'Count',
    dimensions: [],
    aggregate: 'max',
  },
  databasePoolTimeouts: {
    name: 'database_pool.timeouts',
    unit: 'Count',
    dimensions: [],
    aggregate: 'sum',
  },
  responseTime: {
    name: 'http.response_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
} as const satisfies Record<string, MetricDefinition>;
