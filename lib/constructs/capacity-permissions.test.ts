import * as iam from 'aws-cdk-lib/aws-iam';

import { allowBuyingUnits, allowMovingFloor, allowReading } from './capacity-permissions';
import { plantedStack, statementsIn, templateOf } from './testing/planted';
import { plantedEnvironment } from './testing/planted-platform';
import { plantedService } from './testing/planted-service';

function statements(allow: (role: iam.Role) => void) {
  const stack = plantedStack();
  allow(new iam.Role(stack, 'Role', { assumedBy: new iam.ServicePrincipal('ecs.amazonaws.com') }));
  return statementsIn(templateOf(stack));
}

test('what may be done to anything only reads', () => {
  const actions = statements(allowReading).flatMap(({ Action }) => [Action].flat());
  for (const action of actions) expect(action).toMatch(/:(?:Get|Describe|List)/);
});

describe('the floor', () => {
  let floor: ReturnType<typeof statementsIn>;

  beforeAll(() => {
    const stack = plantedStack();
    const role = new iam.Role(stack, 'Role', {
      assumedBy: new iam.ServicePrincipal('ecs.amazonaws.com'),
    });
    allowMovingFloor(role, plantedService(stack).service);
    floor = statementsIn(templateOf(stack)).filter(({ Action }) =>
      /RegisterScalableTarget|UpdateService/.test(JSON.stringify(Action)),
    );
  });

  test('may be moved of task counts of ECS services, and of nothing else that scales', () => {
    expect(floor[0]?.Condition).toEqual({
      StringEquals: {
        'application-autoscaling:service-namespace': 'ecs',
        'application-autoscaling:scalable-dimension': 'ecs:service:DesiredCount',
      },
    });
  });

  test('may be nudged down at the one service', () => {
    expect(floor[1]?.Resource).toEqual({
      Ref: expect.stringMatching(/^Service/) as string,
    });
  });

  test('neither policies nor targets may be deleted', () => {
    expect(JSON.stringify(floor)).not.toMatch(/Delete|Deregister|PutScalingPolicy/);
  });
});

describe('units', () => {
  const bought = () => statements((role) => allowBuyingUnits(role, plantedEnvironment().platform));

  test('may be bought of the configured models only, and only under the tag of this environment', () => {
    const [buy] = bought();
    expect(buy?.Condition).toEqual({
      StringEquals: { 'aws:RequestTag/matsuri:environment': 'prod' },
    });
    const resources = JSON.stringify(buy?.Resource);
    expect(resources).toContain('foundation-model/anthropic.claude-sonnet-5');
    expect(resources).not.toContain('foundation-model/*');
  });

  test('may be given back only under that tag', () => {
    const [, giveBack] = bought();
    expect(giveBack).toMatchObject({
      Action: 'bedrock:DeleteProvisionedModelThroughput',
      Condition: { StringEquals: { 'aws:ResourceTag/matsuri:environment': 'prod' } },
    });
  });
});
