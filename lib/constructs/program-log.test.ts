import * as ecs from 'aws-cdk-lib/aws-ecs';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { ProgramLog } from './program-log';
import { plantedStack, templateOf } from './testing/planted';

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  const task = new ecs.FargateTaskDefinition(stack, 'Task');
  task.addContainer('program', {
    image: ecs.ContainerImage.fromRegistry('node:24-slim'),
    logging: new ProgramLog(stack, 'Log', { logRetentionDays: RetentionDays.ONE_WEEK }).driver,
  });
  template = templateOf(stack);
});

test('a program never waits for its log: a full buffer drops lines, it does not stop answers', () => {
  template.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        LogConfiguration: {
          LogDriver: 'awslogs',
          Options: Match.objectLike({ mode: 'non-blocking', 'awslogs-stream-prefix': 'program' }),
        },
      }),
    ],
  });
});

test('lines are kept as long as the environment says, and go with the stack', () => {
  template.hasResource('AWS::Logs::LogGroup', {
    DeletionPolicy: 'Delete',
    Properties: { RetentionInDays: 7 },
  });
});
