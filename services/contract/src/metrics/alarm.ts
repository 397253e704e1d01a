import type { MetricStatistic } from './metric';
import type { AwsMetricKey, MetricKey } from './metrics';

/** Against what a reading is held. A share or multiple is resolved with metric math or configuration. */
export type AlarmThreshold =
  | { readonly kind: 'fixed'; readonly value: number }
  /** Percent of running tasks × sessions per task. */
  | { readonly kind: 'percent-of-session-capacity'; readonly percent: number }
  /** Percent of the scaling profile's maximum. */
  | { readonly kind: 'percent-of-max-tasks'; readonly percent: number }
  /** Percent of another metric over the same time. */
  | { readonly kind: 'percent-of-metric'; readonly metric: MetricKey; readonly percent: number }
  /** Times the configured baseline. */
  | { readonly kind: 'times-baseline'; readonly factor: number };

export type WatchedMetric =
  | { readonly source: 'own'; readonly metric: MetricKey }
  | { readonly source: 'aws'; readonly metric: AwsMetricKey };

/** One alarm as data: what it watches, when it fires, and what a person woken by it reads first. */
export interface AlarmDefinition {
  readonly watches: WatchedMetric;
  readonly statistic: MetricStatistic;
  readonly comparison: '>' | '>=' | '<';
  readonly threshold: AlarmThreshold;
  /** How long the breach lasts before the alarm fires; a whole number of periods. */
  readonly forSeconds: number;
  readonly periodSeconds: number;
  /** Chosen per alarm: silence of a program is bad news, silence of an error counter is good news. */
  readonly missingData: 'breaching' | 'notBreaching' | 'ignore';
  /** Where the reading ought to be. */
  readonly target: string;
  /** Who suffers and how, in words for 3 a.m. */
  readonly impact: string;
  readonly reaction: 'page' | 'ticket';
}

/** A threshold that does not depend on configuration. */
export const fixed = (value: number): AlarmThreshold => ({ kind: 'fixed', value });

export const own = (metric: MetricKey): WatchedMetric => ({ source: 'own', metric });

export const aws = (metric: AwsMetricKey): WatchedMetric => ({ source: 'aws', metric });
