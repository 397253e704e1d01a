import type { MetricDatum } from '../cloudwatch/core/metric';
import type { Target } from './core/target-health';

/** What Application Load Balancers say of one target group each minute. */
export function groupMetrics(
  arn: string,
  targets: readonly Target[],
  requests: number,
  nowMs: number,
): MetricDatum[] {
  const inState = (state: Target['state']): number =>
    targets.filter((target) => target.state === state).length;
  const datum = (name: string, value: number): MetricDatum => ({
    namespace: 'AWS/ApplicationELB',
    name,
    dimensions: { TargetGroup: arn.slice(arn.indexOf('targetgroup/')) },
    timestampMs: nowMs - 1,
    samples: [{ value, count: 1 }],
  });
  const healthy = inState('healthy');
  return [
    datum('HealthyHostCount', healthy),
    datum('UnHealthyHostCount', inState('unhealthy')),
    datum('RequestCount', requests),
    ...(healthy > 0 ? [datum('RequestCountPerTarget', requests / healthy)] : []),
  ];
}
