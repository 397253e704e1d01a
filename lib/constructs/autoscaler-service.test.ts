import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as ecs from 'aws-cdk-lib/aws-ecs';

import { AlertTopic, alertKey } from './alert-topic';
import { AutoscalerService } from './autoscaler-service';
import { statementsIn, templateOf } from './testing/planted';
import { plantedPlatform } from './testing/planted-platform';

function autoscaler(provisioned: boolean): Template {
  const { stack, cluster, remove, environment, ...rest } = plantedPlatform();
  const { platform } = environment;
  const chatTask = new ecs.FargateTaskDefinition(stack, 'ChatTask');
  chatTask.addContainer('chat', { image: ecs.ContainerImage.fromRegistry('node:24-slim') });
  const encryptionKey = alertKey(stack, 'AlertKey');
  const topic = (name: string) => new AlertTopic(stack, name, { name, emails: [], encryptionKey });
  new AutoscalerService(stack, 'Autoscaler', {
    ...rest,
    cluster,
    environment: {
      ...environment,
      platform: { ...platform, provisioned: { ...platform.provisioned, enabled: provisioned } },
    },
    chat: new ecs.FargateService(stack, 'Chat', {
      cluster,
      taskDefinition: chatTask,
      minHealthyPercent: 100,
      circuitBreaker: { rollback: true },
    }),
    page: topic('page'),
    ticket: topic('ticket'),
  });
  const template = templateOf(stack);
  remove();
  return template;
}

let template: Template;

beforeAll(() => {
  template = autoscaler(false);
});

test('two run, so that the lease finds another holder within seconds; one may be missing in a deployment', () => {
  template.hasResourceProperties('AWS::ECS::Service', {
    ServiceName: 'mangaassist-autoscaler',
    DesiredCount: 2,
    DeploymentConfiguration: Match.objectLike({
      MinimumHealthyPercent: 50,
      MaximumPercent: 200,
      DeploymentCircuitBreaker: { Enable: true, Rollback: true },
    }),
  });
});

test('the lease is nothing that must be kept', () => {
  template.hasResource('AWS::DynamoDB::GlobalTable', {
    DeletionPolicy: 'Delete',
    Properties: { KeySchema: [{ AttributeName: 'item', KeyType: 'HASH' }] },
  });
});

test('nobody reaches it', () => {
  const groups = Object.entries(template.findResources('AWS::EC2::SecurityGroup')).filter(([id]) =>
    id.startsWith('AutoscalerAccess'),
  );
  expect(groups).toHaveLength(1);
  expect(groups[0]?.[1]['Properties']).not.toHaveProperty('SecurityGroupIngress');
});

test('it may spend money only where an environment turned that on', () => {
  expect(JSON.stringify(statementsIn(template))).not.toContain('CreateProvisionedModelThroughput');
  expect(JSON.stringify(statementsIn(autoscaler(true)))).toContain(
    'CreateProvisionedModelThroughput',
  );
});

test('it can call people at both topics', () => {
  const topics = statementsIn(template)
    .filter(({ Action }) => Action === 'sns:Publish')
    .flatMap(({ Resource }) => [Resource].flat());
  expect(topics).toHaveLength(2);
});
