import type { MetricDefinition } from './metric';

/** What the autoscaler says about what it saw, decided and applied. */
export const CAPACITY_METRICS = {
  /** 1 while the state named by the dimension (SCALING or ACTIVE) holds, else 0. */
  provisioningState: {
    name: 'ProvisioningState',
    unit: 'Count',
    dimensions: ['State'],
    aggregate: 'last',
  },
  /** 1 for the state the autoscaler is in, else 0. */
  scalingState: {
    name: 'ScalingState',
    unit: 'Count',
    dimensions: ['State'],
    aggregate: 'last',
  },
  scalingAction: {
    name: 'ScalingAction',
    unit: 'Count',
    dimensions: ['State', 'Service'],
    aggregate: 'sum',
  },
  scalingResponseTime: {
    name: 'ecs.scaling_response_time_s',
    unit: 'Seconds',
    dimensions: [],
    aggregate: 'max',
  },
  taskCount: {
    name: 'ecs.task_count',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  taskFloor: {
    name: 'autoscaler.task_floor',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
  provisionedUnits: {
    name: 'ProvisionedModelUnits',
    unit: 'Count',
    dimensions: ['Alias'],
    aggregate: 'last',
  },
  tokenCapacity: {
    name: 'TokenCapacityPerSecond',
    unit: 'Count/Second',
    dimensions: ['Alias'],
    aggregate: 'last',
  },
  /** A part that could not be read is not published, and neither is the total then. */
  costRate: {
    name: 'CostRateDollarsPerHour',
    unit: 'None',
    dimensions: ['Part'],
    aggregate: 'last',
  },
  mitigationsActive: {
    name: 'autoscaler.mitigations_active',
    unit: 'Count',
    dimensions: ['Mitigation'],
    aggregate: 'last',
  },
  autoscalerCycles: {
    name: 'autoscaler.cycles',
    unit: 'Count',
    dimensions: ['Outcome'],
    aggregate: 'sum',
  },
  calendarEntriesDropped: {
    name: 'autoscaler.calendar_entries_dropped',
    unit: 'Count',
    dimensions: [],
    aggregate: 'last',
  },
} as const satisfies Record<string, MetricDefinition>;

/** The value of ScalingAction's Service dimension. */
export const SCALING_ACTION_SERVICE = 'GenAIAutoScaler';
