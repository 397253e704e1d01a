import type { PlatformConfiguration } from '@matsuri/contract';
import type { Template } from 'aws-cdk-lib/assertions';

import { ServiceScaling } from './service-scaling';
import { only, plantedStack, templateOf } from './testing/planted';
import { NOW_MS, plantedEnvironment } from './testing/planted-platform';
import { plantedService } from './testing/planted-service';

const { platform } = plantedEnvironment();

function scaled(configuration: PlatformConfiguration): Template {
  const stack = plantedStack();
  const { service, targets } = plantedService(stack);
  new ServiceScaling(stack, 'Scaling', {
    service,
    targets,
    platform: configuration,
    nowMs: NOW_MS,
  });
  return templateOf(stack);
}

const withProfile = (profile: Partial<PlatformConfiguration['scaling']>) =>
  scaled({ ...platform, scaling: { ...platform.scaling, ...profile } });

let template: Template;

beforeAll(() => {
  template = scaled(platform);
});

interface Action {
  readonly ScheduledActionName: string;
  readonly Timezone: string;
}

test('every policy of the profile is there, and no other', () => {
  const names = Object.values(
    template.findResources('AWS::ApplicationAutoScaling::ScalingPolicy'),
  ).map((it) => (it['Properties'] as { PolicyName: string }).PolicyName);
  const steps = platform.scaling.steps.flatMap(({ name, scaleIn }) =>
    scaleIn ? [name, `${name}-in`] : [name],
  );
  expect(names.sort()).toEqual(
    [...platform.scaling.targetTracking.map(({ name }) => name), ...steps].sort(),
  );
});

test('one target has all schedules and events: a second would take the first one’s place', () => {
  const target = only(template, 'AWS::ApplicationAutoScaling::ScalableTarget');
  const actions = target['ScheduledActions'] as Action[];
  expect(actions.map((it) => it.ScheduledActionName)).toEqual(
    expect.arrayContaining([
      ...platform.scaling.schedule.map(({ name }) => name),
      'event-black_friday-raise',
    ]),
  );
  expect(new Set(actions.map(({ Timezone }) => Timezone))).toEqual(new Set(['Asia/Tokyo']));
});

test('a schedule without a time zone is refused: AWS would read it as UTC, nine hours late', () => {
  const schedule = platform.scaling.schedule.map(({ timeZone: _, ...floor }) => floor);
  expect(() => withProfile({ schedule })).toThrow('overnight-trough has no time zone');
});

test('a signal is used the way it can be used', () => {
  const [tracking] = platform.scaling.targetTracking;
  const [steps] = platform.scaling.steps;
  if (tracking === undefined || steps === undefined) throw new Error('The profile is empty');
  expect(() =>
    withProfile({ targetTracking: [{ ...tracking, signal: 'bedrockQueueDepthMaximum' }] }),
  ).toThrow('is for steps, it cannot be tracked');
  expect(() => withProfile({ steps: [{ ...steps, signal: 'cpuPercent' }] })).toThrow(
    'cpuPercent is tracked, it has no steps',
  );
});
