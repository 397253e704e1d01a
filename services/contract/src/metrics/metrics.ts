import { CAPACITY_METRICS } from './capacity-metrics';
import { CHAT_METRICS } from './chat-metrics';
import { FLEET_METRICS } from './fleet-metrics';
import { GATEWAY_METRICS } from './gateway-metrics';
import { JOB_METRICS } from './job-metrics';
import type { MetricDefinition, MetricStatistic } from './metric';

/** Every metric some program of ours publishes, by the name code uses for it. */
export const METRICS = {
  ...CHAT_METRICS,
  ...GATEWAY_METRICS,
  ...CAPACITY_METRICS,
  ...JOB_METRICS,
  ...FLEET_METRICS,
} as const satisfies Record<string, MetricDefinition>;

export type MetricKey = keyof typeof METRICS;

/**
 * How the signals that scaling reads are joined over all tasks. A sum of a gauge is true only over one
 * 10 s period (each task publishes once in it); over longer ones use the average times the task count.
 */
export const ACROSS_TASKS = {
  bedrockQueueDepth: 'Maximum',
  activeBedrockInvocations: 'Sum',
  requestLatencyP99: 'Maximum',
  tokensPerSecond: 'Sum',
  activeWebSocketConnections: 'Average',
} as const satisfies Partial<Record<MetricKey, MetricStatistic>>;

/** Metrics AWS publishes by itself and we read. */
export const AWS_METRICS = {
  bedrockInvocations: { namespace: 'AWS/Bedrock', name: 'Invocations', dimensions: ['ModelId'] },
  bedrockLatency: { namespace: 'AWS/Bedrock', name: 'InvocationLatency', dimensions: ['ModelId'] },
  bedrockThrottles: {
    namespace: 'AWS/Bedrock',
    name: 'InvocationThrottles',
    dimensions: ['ModelId'],
  },
  bedrockInputTokens: {
    namespace: 'AWS/Bedrock',
    name: 'InputTokenCount',
    dimensions: ['ModelId'],
  },
  bedrockOutputTokens: {
    namespace: 'AWS/Bedrock',
    name: 'OutputTokenCount',
    dimensions: ['ModelId'],
  },
  desiredTasks: {
    namespace: 'ECS/ContainerInsights',
    name: 'DesiredTaskCount',
    dimensions: ['ClusterName', 'ServiceName'],
  },
  runningTasks: {
    namespace: 'ECS/ContainerInsights',
    name: 'RunningTaskCount',
    dimensions: ['ClusterName', 'ServiceName'],
  },
  queueVisibleMessages: {
    namespace: 'AWS/SQS',
    name: 'ApproximateNumberOfMessagesVisible',
    dimensions: ['QueueName'],
  },
  queueOldestMessage: {
    namespace: 'AWS/SQS',
    name: 'ApproximateAgeOfOldestMessage',
    dimensions: ['QueueName'],
  },
  gatewayTimeouts: {
    namespace: 'AWS/ApplicationELB',
    name: 'HTTPCode_ELB_504_Count',
    dimensions: ['LoadBalancer'],
  },
  instanceMemory: {
    namespace: 'ECS/ContainerInsights',
    name: 'instance_memory_utilization',
    dimensions: ['ClusterName'],
  },
} as const;

export type AwsMetricKey = keyof typeof AWS_METRICS;
