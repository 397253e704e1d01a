import type { AwsMetricKey, MetricKey } from './metrics';
import type { MetricStatistic } from './metric';

/** One line on a panel: a metric of ours or of AWS, joined over tasks by a statistic. */
export interface PanelLine {
  readonly metric: MetricKey | AwsMetricKey;
  readonly statistic: MetricStatistic;
  /** Draw one line for each value of this dimension. */
  readonly per?: string;
}

/** One panel of a dashboard. */
export interface DashboardPanel {
  readonly title: string;
  readonly windowHours: number;
  readonly lines: readonly PanelLine[];
  /** What the person looking at it learns. */
  readonly purpose: string;
}

/** The capacity dashboard: eight panels, in reading order. */
export const CAPACITY_DASHBOARD = [
  {
    title: 'Tokens per second against capacity',
    windowHours: 6,
    lines: [
      { metric: 'tokensPerSecond', statistic: 'Sum', per: 'Model' },
      { metric: 'tokenCapacity', statistic: 'Maximum', per: 'Alias' },
    ],
    purpose: 'how close live traffic is to the ceiling of each model',
  },
  {
    title: 'Bedrock queue depth, worst task',
    windowHours: 1,
    lines: [{ metric: 'bedrockQueueDepth', statistic: 'Maximum' }],
    purpose: 'a queue is seen here before it is felt as latency',
  },
  {
    title: 'Request latency p99',
    windowHours: 1,
    lines: [{ metric: 'requestLatencyP99', statistic: 'Maximum' }],
    purpose: 'whether users feel it',
  },
  {
    title: 'Desired and running tasks',
    windowHours: 6,
    lines: [
      { metric: 'desiredTasks', statistic: 'Maximum' },
      { metric: 'runningTasks', statistic: 'Maximum' },
    ],
    purpose: 'whether scaling actions become healthy tasks',
  },
  {
    title: 'Bedrock throttles',
    windowHours: 1,
    lines: [{ metric: 'bedrockThrottles', statistic: 'Sum', per: 'ModelId' }],
    purpose: 'anything above zero needs attention now',
  },
  {
    title: 'Provisioned model units',
    windowHours: 24,
    lines: [{ metric: 'provisionedUnits', statistic: 'Maximum', per: 'Alias' }],
    purpose: 'what the time-of-day windows and events provisioned',
  },
  {
    title: 'Scaling decisions by state',
    windowHours: 6,
    lines: [{ metric: 'scalingAction', statistic: 'Sum', per: 'State' }],
    purpose: 'the audit trail of every decision',
  },
  {
    title: 'Cost rate',
    windowHours: 24,
    lines: [{ metric: 'costRate', statistic: 'Maximum', per: 'Part' }],
    purpose: 'dollars per hour against the ceiling',
  },
] as const satisfies readonly DashboardPanel[];

/** The orchestrator dashboard. */
export const ORCHESTRATOR_DASHBOARD = [
  {
    title: 'Fan-out time p95',
    windowHours: 1,
    lines: [{ metric: 'fanoutParallel', statistic: 'p95' }],
    purpose: 'above 100 ms: look at the latency of the downstreams',
  },
  {
    title: 'Open circuits by downstream',
    windowHours: 1,
    lines: [{ metric: 'breakerOpen', statistic: 'Maximum', per: 'Downstream' }],
    purpose: 'any open circuit: on-call is paged and fallbacks are served',
  },
  {
    title: 'Pool utilisation by pool',
    windowHours: 1,
    lines: [{ metric: 'poolUtilization', statistic: 'Maximum', per: 'Pool' }],
    purpose: 'above 85 %: a larger pool or more tasks',
  },
  {
    title: 'Active tasks',
    windowHours: 6,
    lines: [{ metric: 'runningTasks', statistic: 'Maximum' }],
    purpose: 'how many tasks serve',
  },
  {
    title: 'Answers by rung',
    windowHours: 1,
    lines: [{ metric: 'answers', statistic: 'Sum', per: 'Rung' }],
    purpose: 'how many get the full answer, and what the others get',
  },
  {
    title: 'Answers broken off by code',
    windowHours: 1,
    lines: [{ metric: 'brokenAnswers', statistic: 'Sum', per: 'Code' }],
    purpose: 'many at once: a model begins its answers and does not end them',
  },
] as const satisfies readonly DashboardPanel[];

/** The fleet dashboard: both dead-letter queues side by side. */
export const FLEET_DASHBOARD = [
  {
    title: 'Dead letters',
    windowHours: 24,
    lines: [{ metric: 'queueVisibleMessages', statistic: 'Maximum', per: 'QueueName' }],
    purpose: 'commands and order checks that failed for good',
  },
] as const satisfies readonly DashboardPanel[];
