import { Match } from 'aws-cdk-lib/assertions';

import { requestLabel, serviceTarget } from './service-target';
import { plantedStack, templateOf } from './testing/planted';
import { plantedService } from './testing/planted-service';

test('the number of tasks of the one service may move between its bounds', () => {
  const stack = plantedStack();
  const { service } = plantedService(stack);
  serviceTarget(stack, 'Tasks', service, { minTasks: 5, maxTasks: 100 });
  templateOf(stack).hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
    MinCapacity: 5,
    MaxCapacity: 100,
    ServiceNamespace: 'ecs',
    ScalableDimension: 'ecs:service:DesiredCount',
    ResourceId: {
      'Fn::Join': [
        '',
        ['service/', { Ref: Match.anyValue() }, '/', { 'Fn::GetAtt': Match.anyValue() }],
      ],
    },
    RoleARN: Match.anyValue(),
  });
});

test('requests are counted at one target group of one load balancer', () => {
  const stack = plantedStack();
  const { targets } = plantedService(stack);
  const label = JSON.stringify(stack.resolve(requestLabel(targets)));
  expect(label).toContain('TargetGroupFullName');
  expect(label).toMatch(/Listener|LoadBalancer/);
});
