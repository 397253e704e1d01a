/** Kafka topics; configurable per environment. */
export const TOPICS = {
  jobCommands: 'jobs.commands',
} as const;

/** Kafka consumer groups. */
export const CONSUMER_GROUPS = {
  jobs: 'jobs-orchestrator',
} as const;
