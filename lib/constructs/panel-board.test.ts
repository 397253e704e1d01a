import { CAPACITY_DASHBOARD, METRICS } from '@matsuri/contract';
import { z } from 'zod';

import { PanelBoard } from './panel-board';
import { only, plantedStack, templateOf } from './testing/planted';
import { plantedEnvironment } from './testing/planted-platform';

const BODY = z.object({
  widgets: z.array(
    z.object({
      x: z.number(),
      y: z.number(),
      properties: z.object({
        title: z.string(),
        start: z.string(),
        metrics: z.array(z.array(z.unknown())),
        annotations: z.looseObject({}).optional(),
      }),
    }),
  ),
});

let widgets: z.infer<typeof BODY>['widgets'];

beforeAll(() => {
  const stack = plantedStack();
  new PanelBoard(stack, 'Board', {
    name: 'mangaassist-prod-capacity',
    panels: CAPACITY_DASHBOARD,
    platform: plantedEnvironment().platform,
    resources: { clusterName: 'cluster', serviceName: 'service', loadBalancerName: 'app/front/1' },
  });
  const { DashboardBody } = only(templateOf(stack), 'AWS::CloudWatch::Dashboard');
  const body =
    typeof DashboardBody === 'string'
      ? DashboardBody
      : (DashboardBody as { 'Fn::Join': [string, string[]] })['Fn::Join'][1].join('');
  widgets = BODY.parse(JSON.parse(body)).widgets;
});

const panel = (title: string) => {
  const found = widgets.find(({ properties }) => properties.title.startsWith(title));
  if (found === undefined) throw new Error(`There is no panel ${title}`);
  return found.properties;
};

test('two panels in a row, in the order in which they are read', () => {
  expect(widgets.map(({ x }) => x)).toEqual([0, 12, 0, 12, 0, 12, 0, 12]);
  expect(widgets.map(({ properties }) => properties.title.split(' (')[0])).toEqual(
    CAPACITY_DASHBOARD.map(({ title }) => title),
  );
});

test('a title says what the person looking at it learns', () => {
  expect(panel('Bedrock throttles').title).toContain('anything above zero needs attention now');
});

test('a line for each model, and one for its ceiling', () => {
  const labels = panel('Tokens per second').metrics.map((line) => JSON.stringify(line));
  for (const name of [METRICS.tokensPerSecond.name, METRICS.tokenCapacity.name]) {
    expect(labels.filter((it) => it.includes(`"${name}"`)).length).toBeGreaterThanOrEqual(2);
  }
});

test('money has its ceiling drawn in', () => {
  const { platform } = plantedEnvironment();
  expect(JSON.stringify(panel('Cost rate').annotations)).toContain(
    `"value":${platform.spend.maxModelDollarsPerHour}`,
  );
  expect(panel('Request latency').annotations ?? {}).toEqual({});
});
