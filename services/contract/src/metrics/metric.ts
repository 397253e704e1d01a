/** How one metric is published: every program that emits it and every alarm that watches it agree here. */
export interface MetricDefinition {
  readonly name: string;
  readonly unit: MetricUnit;
  /** Dimension names; a value for each is given when the metric is recorded. */
  readonly dimensions: readonly string[];
  /**
   * Stored without dimensions as well: CloudWatch adds up nothing by itself, and an alarm reads at most ten series.
   *
   * @default false
   */
  readonly alsoWhole?: true;
  /** How several recordings inside one 10 s period become one reading. */
  readonly aggregate: 'sum' | 'max' | 'last' | 'distribution';
}

export type MetricUnit =
  'Count' | 'Count/Second' | 'Milliseconds' | 'Seconds' | 'Percent' | 'Bytes' | 'None';

/** The CloudWatch statistic that joins the readings of several tasks. */
export type MetricStatistic = 'Maximum' | 'Minimum' | 'Sum' | 'Average' | 'p95' | 'p99';

/** Every program flushes its readings this often, at high resolution. */
export const METRIC_PERIOD_SECONDS = 10;
