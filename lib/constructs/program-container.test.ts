import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';

import { addProgram } from './program-container';

function container(): Template {
  const stack = new Stack(new App(), 'Planted');
  const database = new secretsmanager.Secret(stack, 'Database');
  const task = new ecs.FargateTaskDefinition(stack, 'Task');
  addProgram(task, 'migrate', {
    image: ecs.ContainerImage.fromRegistry('node:24-slim'),
    variables: { DATABASE_URL: 'postgres://writer:5432/matsuri' },
    secrets: {
      DATABASE_USER: ecs.Secret.fromSecretsManager(database, 'username'),
      DATABASE_PASSWORD: ecs.Secret.fromSecretsManager(database, 'password'),
    },
    healthPort: 8099,
  });
  return Template.fromStack(stack);
}

test('a program gets its variables in the clear and its secrets by reference', () => {
  container().hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        Name: 'migrate',
        Environment: [{ Name: 'DATABASE_URL', Value: 'postgres://writer:5432/matsuri' }],
        Secrets: [
          Match.objectLike({ Name: 'DATABASE_USER' }),
          Match.objectLike({ Name: 'DATABASE_PASSWORD' }),
        ],
      }),
    ],
  });
});

test('a program is nobody in particular and can change nothing around it', () => {
  container().hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        User: '1000:1000',
        ReadonlyRootFilesystem: true,
        Privileged: false,
        LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
      }),
    ],
  });
});

test('a program that says where it is alive is asked there', () => {
  container().hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        HealthCheck: Match.objectLike({
          Command: ['CMD', 'node', '-e', Match.stringLikeRegexp('127.0.0.1:8099/healthz')],
        }),
      }),
    ],
  });
});
