/** Alarms, dashboards and the pages that people woken by them read. */
import {
  ALARMS_BY_PLANE,
  BREAK_CODES,
  CHAT_ALIASES,
  COST_PARTS,
  FALLBACK_RUNGS,
  METRICS,
  alarmName,
} from '@matsuri/contract';
import type { AlarmDefinition, AlarmKey } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ofType, synthesize } from './synthesized';
import type { Synthesized } from './synthesized';

const ROOT = join(__dirname, '../..');
const PLANES = ['chat', 'gateway', 'capacity'] as const;

const BUILT = PLANES.flatMap((plane) =>
  Object.entries<AlarmDefinition>(ALARMS_BY_PLANE[plane]).map(([key, definition]) => ({
    plane,
    key: key as AlarmKey,
    definition,
  })),
);

let prod: Synthesized;

beforeAll(() => {
  prod = synthesize('prod');
});

const alarm = (key: AlarmKey) => {
  const found = ofType(prod.json('observability'), 'AWS::CloudWatch::Alarm').find(
    ({ AlarmName }) => AlarmName === alarmName('prod', key),
  );
  if (found === undefined) throw new Error(`There is no alarm ${key}`);
  return found;
};

const COMPARISONS = {
  '>': 'GreaterThanThreshold',
  '>=': 'GreaterThanOrEqualToThreshold',
  '<': 'LessThanThreshold',
};

test.each(BUILT)('$key fires as the contract says', ({ key, definition }) => {
  expect(alarm(key)).toMatchObject({
    ComparisonOperator: COMPARISONS[definition.comparison],
    EvaluationPeriods: definition.forSeconds / definition.periodSeconds,
    TreatMissingData: definition.missingData,
  });
  expect(JSON.stringify(alarm(key))).toContain(`"Period":${definition.periodSeconds}`);
});

test.each([
  ['OrchestrationOverheadHigh', 200],
  ['SessionCapacityNearlyUsed', 85],
  ['FanoutSlow', 100],
  ['CircuitOpen', 0],
  ['FallbacksFrequent', 100],
  ['PoolNearlyExhausted', 85],
  ['PoolExhausted', 0.01],
  ['ScalingSlow', 120],
  ['TaskCeilingNear', 90],
  ['BedrockThrottled', 0],
  ['GatewayTimeouts', 0],
] as const)('%s fires beyond %d', (key, threshold) => {
  expect(alarm(key)).toMatchObject({ Threshold: threshold });
});

test.each([
  ['OrchestrationOverheadHigh', 'orchestrator.overhead_ms', 'p95', 120],
  ['FanoutSlow', 'orchestrator.fanout_parallel_ms', 'p95', 120],
  ['CircuitOpen', 'circuit_breaker.open_count', 'Maximum', 120],
  ['FallbacksFrequent', 'circuit_breaker.fallback_invocations', 'Sum', 60],
  ['PoolNearlyExhausted', 'connection_pool.utilization_pct', 'Maximum', 60],
  ['ScalingSlow', 'ecs.scaling_response_time_s', 'Maximum', 60],
  ['TaskCeilingNear', 'ecs.task_count', 'Maximum', 60],
  ['GatewayTimeouts', 'HTTPCode_ELB_504_Count', 'Sum', 300],
  ['BedrockThrottled', 'InvocationThrottles', 'Sum', 300],
] as const)('%s looks at %s, %s, for %d s', (key, metric, statistic, seconds) => {
  const text = JSON.stringify(alarm(key));
  expect(text).toContain(`"MetricName":"${metric}"`);
  expect(text).toMatch(new RegExp(`"(?:Stat|Statistic|ExtendedStatistic)":"${statistic}"`));
  const [, period] = /"Period":(\d+)/.exec(text) ?? [];
  expect(Number(alarm(key)['EvaluationPeriods']) * Number(period)).toBe(seconds);
});

test('tasks are drawn as ECS counts them, decisions as the autoscaler names them', () => {
  const text = JSON.stringify(ofType(prod.json('observability'), 'AWS::CloudWatch::Dashboard'));
  for (const word of [
    'ECS/ContainerInsights',
    'DesiredTaskCount',
    'RunningTaskCount',
    'ScalingAction',
    'GenAIAutoScaler',
    'event_override',
  ]) {
    expect(text).toContain(word);
  }
});

test('session capacity is what the tasks that run may hold', () => {
  expect(alarm('SessionCapacityNearlyUsed')['Metrics']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ Expression: '100 * part / (whole * 2000)' }),
    ]),
  );
});

test('no alarm reads more series than CloudWatch lets it', () => {
  for (const { AlarmName, Metrics = [] } of ofType(
    prod.json('observability'),
    'AWS::CloudWatch::Alarm',
  )) {
    const read = JSON.stringify(Metrics).split('"MetricStat"').length - 1;
    expect({ AlarmName, withinTen: read <= 10 }).toEqual({ AlarmName, withinTen: true });
  }
});

test('a circuit is watched for every downstream', () => {
  const text = JSON.stringify(alarm('CircuitOpen')['Metrics']);
  for (const downstream of [
    'sagemaker',
    'bedrock',
    'embedding',
    'dynamodb',
    'redis',
    'opensearch',
  ]) {
    expect(text).toContain(`"Value":"${downstream}"`);
  }
});

test.each(BUILT)('$key says who suffers, and its runbook has the heading it links to', (it) => {
  const { plane, key, definition } = it;
  const description = String(alarm(key)['AlarmDescription']);
  expect(description).toContain(definition.impact);
  expect(description).toContain(`docs/runbooks/${plane}.md#${key.toLowerCase()}`);
  const page = readFileSync(join(ROOT, `docs/runbooks/${plane}.md`), 'utf8');
  const [, section = ''] = page.split(new RegExp(`^## ${key}$`, 'm'));
  const [own = ''] = section.split(/^## /m);
  for (const part of ['**Means.**', '**Look at.**', '**Do.**']) expect(own).toContain(part);
});

test('runbooks speak of no alarm that is gone', () => {
  const headings = PLANES.flatMap((plane) =>
    [...readFileSync(join(ROOT, `docs/runbooks/${plane}.md`), 'utf8').matchAll(/^## (.*)$/gm)].map(
      ([, heading]) => heading,
    ),
  );
  expect(headings.sort()).toEqual(BUILT.map(({ key }) => key).sort());
});

test('every alarm watches a metric that some program emits, or AWS does', () => {
  const sources = globSync('services/{orchestrator,api,autoscaler}/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const silent = BUILT.map(({ definition }) => definition.watches)
    .filter(({ source }) => source === 'own')
    .map(({ metric }) => metric)
    .filter((metric) => !sources.includes(`METRICS.${metric}`));
  expect(silent).toEqual([]);
});

test('what wakes people does so once per plane; the rest is a ticket', () => {
  const composites = ofType(prod.json('observability'), 'AWS::CloudWatch::CompositeAlarm');
  expect(composites.map(({ AlarmName }) => AlarmName).sort()).toEqual([
    'prod-page-capacity',
    'prod-page-chat',
    'prod-page-gateway',
  ]);
  for (const { key, definition } of BUILT) {
    const own = alarm(key)['AlarmActions'];
    if (definition.reaction === 'page') expect(own).toBeUndefined();
    else expect(own).toHaveLength(1);
  }
});

test('eight panels of capacity and six of the orchestrator, each with its window', () => {
  const boards = ofType(prod.json('observability'), 'AWS::CloudWatch::Dashboard').map(
    ({ DashboardName, DashboardBody }) => [DashboardName, JSON.stringify(DashboardBody)] as const,
  );
  const starts = (name: string) =>
    [...(boards.find(([it]) => it === name)?.[1] ?? '').matchAll(/-PT(\d+)H/g)].map(([, hours]) =>
      Number(hours),
    );
  expect(starts('mangaassist-prod-capacity')).toEqual([6, 1, 1, 6, 1, 24, 6, 24]);
  expect(starts('mangaassist-prod-orchestrator')).toEqual([1, 1, 1, 6, 1, 1]);
});

test('the cost panel shows every part of the cost rate and what was settled, by the hour', () => {
  const text = JSON.stringify(prod.json('observability'));
  expect(text).toContain('settled * 60');
  for (const part of COST_PARTS) {
    expect(text).toContain(`${METRICS.costRate.name}\\",\\"Part\\",\\"${part}`);
  }
});

test('answers are drawn by the rung they stand on, and by how they break off', () => {
  const text = JSON.stringify(prod.json('observability'));
  for (const rung of FALLBACK_RUNGS) {
    expect(text).toContain(`${METRICS.answers.name}\\",\\"Rung\\",\\"${rung}\\"`);
  }
  for (const code of BREAK_CODES) {
    expect(text).toContain(`${METRICS.brokenAnswers.name}\\",\\"Code\\",\\"${code}\\"`);
  }
});

test('what the autoscaler says of an alias is asked for by the alias', () => {
  const text = JSON.stringify(prod.json('observability'));
  for (const { name } of [METRICS.provisionedUnits, METRICS.tokenCapacity]) {
    for (const alias of CHAT_ALIASES) {
      expect(text).toContain(`${name}\\",\\"Alias\\",\\"${alias}`);
    }
  }
});

test('alarms reach people encrypted', () => {
  prod.template('capacity').allResourcesProperties('AWS::SNS::Topic', {
    KmsMasterKeyId: Match.anyValue(),
  });
});
