import type { MetricDefinition } from './metric';

/** What a jobs task says about its partitions and the jobs on them. */
export const JOB_METRICS = {
  consumerLag: {
    name: 'consumer_lag',
    unit: 'Count',
    dimensions: ['Topic'],
    aggregate: 'last',
  },
  rebalanceCount: {
    name: 'rebalance_count',
    unit: 'Count',
    dimensions: ['Group'],
    aggregate: 'sum',
  },
  jobProcessingTime: {
    name: 'job_processing_time',
    unit: 'Milliseconds',
    dimensions: [],
    aggregate: 'distribution',
  },
  idempotencyHits: {
    name: 'idempotency_hits',
    unit: 'Count',
    dimensions: [],
    aggregate: 'sum',
  },
  jobCommands: {
    name: 'job_commands',
    unit: 'Count',
    dimensions: [],
    aggregate: 'sum',
  },
  parkedKeys: {
    name: 'job_dead_letters',
    unit: 'Count',
    dimensions: [],
    aggregate: 'sum',
  },
} as const satisfies Record<string, MetricDefinition>;
