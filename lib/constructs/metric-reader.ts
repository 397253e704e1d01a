import {
  AWS_METRICS,
  BREAK_CODES,
  CALL_LIMITS,
  CHAT_ALIASES,
  COST_PARTS,
  DOWNSTREAMS,
  FALLBACK_RUNGS,
  LEADING_OUTCOMES,
  METRICS,
  SCALING_ACTION_SERVICE,
  SCALING_STATES,
} from '@matsuri/contract';
import type {
  AwsMetricKey,
  MetricKey,
  MetricStatistic,
  PlatformConfiguration,
} from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

/** What AWS calls the things whose metrics are read. */
export interface WatchedResources {
  readonly clusterName: string;
  readonly serviceName: string;
  readonly loadBalancerName: string;
}

interface Query {
  readonly statistic: string;
  readonly periodSeconds: number;
}

const STATISTICS: Readonly<Record<MetricStatistic, string>> = {
  Maximum: cloudwatch.Stats.MAXIMUM,
  Minimum: cloudwatch.Stats.MINIMUM,
  Sum: cloudwatch.Stats.SUM,
  Average: cloudwatch.Stats.AVERAGE,
  p95: cloudwatch.Stats.percentile(95),
  p99: cloudwatch.Stats.percentile(99),
};

/**
 * Metrics of the contract as CloudWatch is asked for them. A metric is stored once for each set of dimension
 * values and, unless the contract says so, never without: whoever wants it whole must name every value.
 */
export class MetricReader {
  constructor(
    private readonly platform: PlatformConfiguration,
    private readonly resources: WatchedResources,
  ) {}

  /** One series for each set of dimension values, labelled by them. */
  series(key: MetricKey | AwsMetricKey, query: Query): readonly cloudwatch.Metric[] {
    const { dimensions } = this.identity(key);
    return this.valuesOf(dimensions).map((values) => this.metric(key, values, query));
  }

  /** All series as one reading. */
  whole(
    key: MetricKey | AwsMetricKey,
    statistic: MetricStatistic,
    periodSeconds: number,
  ): cloudwatch.IMetric {
    const query = { statistic: STATISTICS[statistic], periodSeconds };
    const series = isStoredWhole(key) ? [this.metric(key, {}, query)] : this.series(key, query);
    const [only] = series;
    if (only !== undefined && series.length === 1) return only;
    const named = Object.fromEntries(series.map((metric, index) => [`${key}${index}`, metric]));
    const join = statistic === 'Sum' ? 'SUM' : 'MAX';
    return new cloudwatch.MathExpression({
      expression: `${join}([${Object.keys(named).join(', ')}])`,
      usingMetrics: named,
      period: Duration.seconds(periodSeconds),
      label: this.identity(key).name,
    });
  }

  private metric(
    key: MetricKey | AwsMetricKey,
    dimensionsMap: Record<string, string>,
    { statistic, periodSeconds }: Query,
  ): cloudwatch.Metric {
    const { namespace, name } = this.identity(key);
    return new cloudwatch.Metric({
      namespace,
      metricName: name,
      dimensionsMap,
      statistic,
      period: Duration.seconds(periodSeconds),
      label: labelOf(dimensionsMap, name),
    });
  }

  private identity(key: MetricKey | AwsMetricKey) {
    const { metricNamespace } = this.platform.product;
    if (isOwn(key)) return { namespace: metricNamespace, ...METRICS[key] };
    return AWS_METRICS[key];
  }

  /** Every combination of what the dimensions may be. */
  private valuesOf(dimensions: readonly string[]): Record<string, string>[] {
    return dimensions.reduce<Record<string, string>[]>(
      (sets, dimension) =>
        sets.flatMap((set) =>
          this.valuesOfOne(dimension).map((value) => ({ ...set, [dimension]: value })),
        ),
      [{}],
    );
  }

  private valuesOfOne(dimension: string): readonly string[] {
    const { models, region } = this.platform;
    const chat = [...models.aliases.complex, ...models.aliases.simple];
    const values: Readonly<Record<string, () => readonly string[]>> = {
      Downstream: () => DOWNSTREAMS,
      Pool: () => DOWNSTREAMS,
      Rung: () => FALLBACK_RUNGS,
      Code: () => BREAK_CODES,
      Outcome: () => LEADING_OUTCOMES,
      Limit: () => CALL_LIMITS,
      State: () => SCALING_STATES,
      Service: () => [SCALING_ACTION_SERVICE],
      Alias: () => CHAT_ALIASES,
      Part: () => COST_PARTS,
      Model: () => unique(chat.map(({ profile }) => models.profiles[profile]?.model ?? profile)),
      // Other regions keep their metrics to themselves.
      ModelId: () => unique(chat.filter((it) => it.region === region).map((it) => it.profile)),
      ClusterName: () => [this.resources.clusterName],
      ServiceName: () => [this.resources.serviceName],
      LoadBalancer: () => [this.resources.loadBalancerName],
    };
    const known = values[dimension];
    if (known === undefined) throw new Error(`Nobody knows the values of ${dimension}`);
    return known();
  }
}

function isOwn(key: MetricKey | AwsMetricKey): key is MetricKey {
  return Object.hasOwn(METRICS, key);
}

function isStoredWhole(key: MetricKey | AwsMetricKey): boolean {
  return isOwn(key) && 'alsoWhole' in METRICS[key];
}

function labelOf(dimensions: Readonly<Record<string, string>>, name: string): string {
  const telling = Object.entries(dimensions).filter(
    ([dimension]) => !['Service', 'ClusterName', 'ServiceName', 'LoadBalancer'].includes(dimension),
  );
  return telling.length === 0 ? name : telling.map(([, value]) => value).join(' ');
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
