/** SNS topics. */
export const ALERT_TOPICS = {
  /** Wakes a person. */
  page: 'on-call',
  /** Read in the morning. */
  ticket: 'tickets',
  /** Dead letters of the fleet, by email. */
  fleet: 'orchestrator-alerts',
} as const;

/** CloudWatch namespace where a product chooses none of its own. */
export const DEFAULT_METRIC_NAMESPACE = 'MangaAssist';
