import { describeContradictions } from '../../test/contradiction-of';

describeContradictions('jobs', [
  {
    id: 'kafka-session-too-short',
    when: 'the broker refuses the session timeout',
    overrides: { jobs: { sessionTimeoutMs: 3_000, heartbeatMs: 1_000 } },
    says: /sessionTimeoutMs is 3,000 ms; brokers refuse members below 6,000 ms/,
    fix: /sessionTimeoutMs to at least 6000/,
  },
  {
    id: 'kafka-heartbeat-too-slow',
    when: 'one lost heartbeat ends the membership',
    overrides: { jobs: { heartbeatMs: 3_000 } },
    says: /heartbeatMs is 3,000 ms against a session of 6,000 ms/,
    fix: /heartbeatMs to at most 2000/,
  },
  {
    id: 'failover-too-slow',
    when: 'a hung handler is noticed after the promise',
    overrides: { jobs: { maxPollIntervalMs: 300_000 } },
    says: /promised within 30 s, but a dead member is noticed after 6,000 ms and a hung one after 300,000 ms/,
    fix: /below 30,000/,
  },
  {
    id: 'tasks-over-partitions',
    when: 'some tasks would own nothing',
    overrides: { jobs: { maxTasks: 15 } },
    says: /maxTasks is 15 but the topic has 12 partitions: 3 tasks would own nothing/,
    fix: /at most 12/,
  },
  {
    id: 'retention-over-idempotency',
    when: 'a replay outlives the proof that a job ran',
    overrides: { jobs: { topicRetentionDays: 30 } },
    says: /keeps commands 30 days, the proof that a job ran is kept 30/,
    fix: /topicRetentionDays below 30, or raise jobs\.idempotencyDays above 30/,
  },
  {
    id: 'kafka-not-durable',
    when: 'one broker can lose an acknowledged command',
    overrides: { jobs: { minInsyncReplicas: 1 } },
    says: /3 replicas with 1 in sync/,
    fix: /replicationFactor to 3 and jobs\.minInsyncReplicas to 2/,
  },
]);
