import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

/** The shortest session a Kafka broker accepts by default. */
const MINIMUM_SESSION_MS = 6_000;
const HEARTBEATS_PER_SESSION = 3;

type Jobs = PlatformConfiguration['jobs'];

/** Group membership, retention and partitions agree with the promises about failover and duplicates. */
export function jobs({ jobs: figures }: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...sessionTimeout(figures),
    ...heartbeats(figures),
    ...failover(figures),
    ...partitions(figures),
    ...retention(figures),
    ...durability(figures),
  ];
}

function sessionTimeout({ sessionTimeoutMs }: Jobs): Contradiction[] {
  if (sessionTimeoutMs >= MINIMUM_SESSION_MS) return [];
  return [
    error(
      'kafka-session-too-short',
      `jobs.sessionTimeoutMs is ${figure(sessionTimeoutMs)} ms; brokers refuse members below ` +
        `${figure(MINIMUM_SESSION_MS)} ms (group.min.session.timeout.ms).`,
      `Set jobs.sessionTimeoutMs to at least ${MINIMUM_SESSION_MS}.`,
    ),
  ];
}

function heartbeats({ sessionTimeoutMs, heartbeatMs }: Jobs): Contradiction[] {
  if (heartbeatMs * HEARTBEATS_PER_SESSION <= sessionTimeoutMs) return [];
  return [
    error(
      'kafka-heartbeat-too-slow',
      `jobs.heartbeatMs is ${figure(heartbeatMs)} ms against a session of ${figure(sessionTimeoutMs)} ms: one lost ` +
        'heartbeat and a living member is put out.',
      `Set jobs.heartbeatMs to at most ${Math.floor(sessionTimeoutMs / HEARTBEATS_PER_SESSION)}.`,
    ),
  ];
}

function failover({ sessionTimeoutMs, maxPollIntervalMs, failoverSeconds }: Jobs): Contradiction[] {
  const slowest = Math.max(sessionTimeoutMs, maxPollIntervalMs);
  if (slowest < failoverSeconds * 1_000) return [];
  return [
    error(
      'failover-too-slow',
      `Failover is promised within ${failoverSeconds} s, but a dead member is noticed after ${figure(sessionTimeoutMs)} ms ` +
        `and a hung one after ${figure(maxPollIntervalMs)} ms.`,
      `Set jobs.sessionTimeoutMs and jobs.maxPollIntervalMs below ${figure(failoverSeconds * 1_000)}.`,
    ),
  ];
}

function partitions({ partitions: count, maxTasks }: Jobs): Contradiction[] {
  if (maxTasks <= count) return [];
  return [
    error(
      'tasks-over-partitions',
      `jobs.maxTasks is ${maxTasks} but the topic has ${count} partitions: ${maxTasks - count} tasks would own nothing.`,
      `Set jobs.maxTasks to at most ${count}, or raise jobs.partitions.`,
    ),
  ];
}

function retention({ topicRetentionDays, idempotencyDays }: Jobs): Contradiction[] {
  if (topicRetentionDays < idempotencyDays) return [];
  return [
    error(
      'retention-over-idempotency',
      `The topic keeps commands ${topicRetentionDays} days, the proof that a job ran is kept ${idempotencyDays}: a replay ` +
        'after lost offsets runs old jobs again.',
      `Set jobs.topicRetentionDays below ${idempotencyDays}, or raise jobs.idempotencyDays above ${topicRetentionDays}.`,
    ),
  ];
}

function durability({ replicationFactor, minInsyncReplicas }: Jobs): Contradiction[] {
  if (minInsyncReplicas >= 2 && minInsyncReplicas < replicationFactor) return [];
  return [
    error(
      'kafka-not-durable',
      `${replicationFactor} replicas with ${minInsyncReplicas} in sync: nothing lost, and one broker down without a stop, ` +
        'takes at least 2 in sync and one more replica.',
      'Set jobs.replicationFactor to 3 and jobs.minInsyncReplicas to 2.',
    ),
  ];
}
