import type { MetricDefinition } from './metric';

/** What the control plane and the workers say about the per-user fleet. */
export const FLEET_METRICS = {
  workersActive: {
    name: 'fleet.workers_active',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  warmWorkers: {
    name: 'fleet.warm_workers',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  workerReady: {
    name: 'fleet.worker_ready_ms',
    unit: 'Milliseconds',
    dimensions: ['Source'],
    aggregate: 'distribution',
  },
  workersRepaired: {
    name: 'fleet.workers_repaired',
    unit: 'Count',
    dimensions: ['Reason'],
    aggregate: 'sum',
  },
  staleCommands: {
    name: 'fleet.stale_commands',
    unit: 'Count',
    dimensions: ['Queue'],
    aggregate: 'sum',
  },
  runTaskFailures: {
    name: 'fleet.run_task_failures',
    unit: 'Count',
    dimensions: ['Reason'],
    aggregate: 'sum',
  },
} as const satisfies Record<string, MetricDefinition>;
