import type { MetricDefinition } from './metric';

/** What an orchestrator task says about its sessions, its fan-out, and its downstreams. */
export const CHAT_METRICS = {
  /**
   * All of an answer's time but that in which something was waited for. A turn at a pool, a slot, a limit or the ledger
   * is part of the call it is waited for with, so queueing shows in `connection_pool.*` and `BedrockQueueDepth`, not here.
   */
  overhead: {
    name: 'orchestrator.overhead_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  endToEnd: {
    name: 'orchestrator.end_to_end_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  concurrentSessions: {
    name: 'orchestrator.concurrent_sessions',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  fanoutParallel: {
    name: 'orchestrator.fanout_parallel_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  /** Each once, by the rung of the ladder it stood on. */
  answers: {
    name: 'orchestrator.answers',
    unit: 'Count',
    dimensions: ['Rung'],
    aggregate: 'sum',
  },
  /** Those of them that broke off after they had begun. */
  brokenAnswers: {
    name: 'orchestrator.broken_answers',
    unit: 'Count',
    dimensions: ['Code'],
    aggregate: 'sum',
  },
  eventLoopDelay: {
    name: 'orchestrator.event_loop_delay_ms',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'max',
  },
  shedRequests: {
    name: 'orchestrator.shed_requests',
    unit: 'Count',
    dimensions: ['Reason'],
    aggregate: 'sum',
  },
  breakerOpen: {
    name: 'circuit_breaker.open_count',
    unit: 'Count',
    dimensions: ['Downstream'],
    aggregate: 'last',
  },
  breakerFallbacks: {
    name: 'circuit_breaker.fallback_invocations',
    unit: 'Count',
    dimensions: ['Downstream'],
    aggregate: 'sum',
  },
  /** Of `bedrock` slots; of `redis` the commands of answers: limits, frames and tickets pass its pool by. */
  poolUtilization: {
    name: 'connection_pool.utilization_pct',
    unit: 'Percent',
    dimensions: ['Pool'],
    aggregate: 'max',
  },
  poolAcquires: {
    name: 'connection_pool.acquires',
    unit: 'Count',
    dimensions: ['Pool'],
    alsoWhole: true,
    aggregate: 'sum',
  },
  poolAcquireTimeouts: {
    name: 'connection_pool.acquire_timeouts',
    unit: 'Count',
    dimensions: ['Pool'],
    alsoWhole: true,
    aggregate: 'sum',
  },
  activeWebSocketConnections: {
    name: 'ActiveWebSocketConnections',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  requestLatencyP99: {
    name: 'RequestLatencyP99',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'max',
  },
} as const satisfies Record<string, MetricDefinition>;
