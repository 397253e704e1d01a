import type { MetricDefinition } from './metric';

/** What an orchestrator task says about its sessions, its fan-out, and its downstreams. */
export const CHAT_METRICS = {
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
  degradedAnswers: {
    name: 'orchestrator.degraded_answers',
    unit: 'Count',
    dimensions: ['Rung'],
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
