import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { environmentOf } from '../config/environment';
import { ENVIRONMENTS } from '../config/environments';
import { MetricReader } from './metric-reader';

const { platform } = environmentOf(
  'prod',
  ENVIRONMENTS.prod,
  Date.parse('2026-11-18T12:00:00+09:00'),
);
const reader = new MetricReader(platform, {
  clusterName: 'cluster',
  serviceName: 'service',
  loadBalancerName: 'app/front/1',
});
const QUERY = { statistic: 'Maximum', periodSeconds: 10 };

const dimensionsOf = (key: Parameters<MetricReader['series']>[0]) =>
  reader.series(key, QUERY).map(({ dimensions }) => dimensions);

test('a metric without dimensions is one series, in the namespace of the environment', () => {
  const [only, ...others] = reader.series('bedrockQueueDepth', QUERY);
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    namespace: platform.product.metricNamespace,
    metricName: 'BedrockQueueDepth',
  });
});

test('a metric by downstream is one series for each, none of which CloudWatch would add up by itself', () => {
  expect(dimensionsOf('breakerOpen')).toEqual(
    ['sagemaker', 'bedrock', 'embedding', 'dynamodb', 'redis', 'opensearch'].map((Downstream) => ({
      Downstream,
    })),
  );
});

test('the whole of a gauge is its highest series, the whole of a count their sum', () => {
  const expression = (it: cloudwatch.IMetric) =>
    it instanceof cloudwatch.MathExpression ? it.expression : undefined;
  expect(expression(reader.whole('breakerOpen', 'Maximum', 10))).toMatch(/^MAX\(\[breakerOpen0, /);
  expect(expression(reader.whole('breakerFallbacks', 'Sum', 60))).toMatch(/^SUM\(\[/);
});

test('a metric that is stored whole is read so, and still by its dimensions where those are wanted', () => {
  const whole = reader.whole('poolAcquires', 'Sum', 300);
  expect(whole).toBeInstanceOf(cloudwatch.Metric);
  expect(whole).toMatchObject({ metricName: 'connection_pool.acquires', dimensions: {} });
  expect(dimensionsOf('poolAcquires')).toContainEqual({ Pool: 'embedding' });
});

test('throttles are read by the profiles called in this region: other regions keep theirs', () => {
  const ids = dimensionsOf('bedrockThrottles').map((it) => String(it?.['ModelId']));
  expect(ids).toContain('jp.anthropic.claude-sonnet-5');
  expect(ids).toContain('global.anthropic.claude-haiku-4-5-20251001-v1:0');
  expect(new Set(ids).size).toBe(ids.length);
});

test('tasks are counted of the one service', () => {
  expect(dimensionsOf('runningTasks')).toEqual([
    { ClusterName: 'cluster', ServiceName: 'service' },
  ]);
});
