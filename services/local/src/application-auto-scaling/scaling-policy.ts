import type { AlarmDefinition } from '../cloudwatch/core/alarm';
import type { MetricQuery } from '../cloudwatch/core/metric-query';
import type { PolicyMemory, ScalingRule } from './core/scaling-decision';

export interface ScalingPolicy {
  readonly name: string;
  readonly arn: string;
  readonly resourceId: string;
  readonly createdAtMs: number;
  readonly rule: ScalingRule;
  /** What the policy tracks; a step policy's alarms belong to its owner. */
  readonly queries: readonly MetricQuery[];
  readonly disableScaleIn: boolean;
  readonly alarmNames: { readonly high: string; readonly low: string } | undefined;
  readonly memory: PolicyMemory;
  /** The configuration as it was put, to be shown again. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

const PERIOD_MS = 60_000;
const PERIODS_OUT = 3;
const PERIODS_IN = 15;
// Scale-in waits until the metric is a tenth below the target, lest the two alarms chase each other.
const LOW_SHARE = 0.9;

/** The two alarms by which target tracking notices: three minutes above, fifteen minutes well below. */
export function trackingAlarms(policy: ScalingPolicy): readonly AlarmDefinition[] {
  const { rule, alarmNames } = policy;
  if (rule.kind !== 'target-tracking' || alarmNames === undefined) return [];
  const common = {
    queries: policy.queries,
    periodMs: PERIOD_MS,
    treatMissingData: 'missing',
    actionsEnabled: true,
    actions: { ALARM: [policy.arn], OK: [], INSUFFICIENT_DATA: [] },
    description: `DO NOT EDIT OR DELETE. For TargetTrackingScaling policy ${policy.arn}.`,
  } as const;
  const high = {
    ...common,
    name: alarmNames.high,
    comparison: 'GreaterThanThreshold',
    threshold: rule.targetValue,
    evaluationPeriods: PERIODS_OUT,
    datapointsToAlarm: PERIODS_OUT,
  } as const;
  const low = {
    ...common,
    name: alarmNames.low,
    comparison: 'LessThanThreshold',
    threshold: rule.targetValue * LOW_SHARE,
    evaluationPeriods: PERIODS_IN,
    datapointsToAlarm: PERIODS_IN,
  } as const;
  return [high, low];
}
