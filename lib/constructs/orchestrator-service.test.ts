import { PORTS } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';

import type { EnvironmentChoices } from '../config/environments';
import { OrchestratorService } from './orchestrator-service';
import { only, statementsIn, templateOf } from './testing/planted';
import { plantedPlatform } from './testing/planted-platform';

function service(choices: Partial<EnvironmentChoices> = {}): Template {
  const { stack, vpc, remove, ...rest } = plantedPlatform(choices);
  const balancer = new elb.ApplicationLoadBalancer(stack, 'Balancer', { vpc });
  const listener = balancer.addListener('Listener', { port: 80, open: false });
  new OrchestratorService(stack, 'Orchestrator', { ...rest, listener });
  const template = templateOf(stack);
  remove();
  return template;
}

let template: Template;

beforeAll(() => {
  template = service();
});

const variables = (it: Template) => {
  const [container] = only(it, 'AWS::ECS::TaskDefinition')['ContainerDefinitions'] as {
    Environment: { Name: string; Value: unknown }[];
  }[];
  return Object.fromEntries((container?.Environment ?? []).map(({ Name, Value }) => [Name, Value]));
};

test('a deployment never has fewer tasks than before, and goes back by itself', () => {
  expect(only(template, 'AWS::ECS::Service')).toMatchObject({
    DeploymentConfiguration: {
      MinimumHealthyPercent: 100,
      MaximumPercent: 200,
      DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      Alarms: {
        Enable: true,
        Rollback: true,
        AlarmNames: [
          'prod-orchestrator-deployment-errors',
          'prod-orchestrator-deployment-unhealthy',
        ],
      },
    },
    AvailabilityZoneRebalancing: 'ENABLED',
  });
});

test('how many tasks there are is for scaling alone to say', () => {
  expect(only(template, 'AWS::ECS::Service')).not.toHaveProperty('DesiredCount');
});

test('a task has as long to end its streams as the load balancer gives it', () => {
  template.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [Match.objectLike({ StopTimeout: 120 })],
  });
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    TargetGroupAttributes: Match.arrayWith([
      { Key: 'deregistration_delay.timeout_seconds', Value: '120' },
    ]),
  });
});

test('readiness is asked on a listener of its own, which load cannot silence', () => {
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    HealthCheckPath: '/readyz',
    HealthCheckPort: String(PORTS.orchestratorHealth),
  });
  for (const port of [PORTS.orchestrator, PORTS.orchestratorHealth]) {
    template.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
      FromPort: port,
      ToPort: port,
    });
  }
});

test('only the pages of the environment’s own domain may open a chat', () => {
  expect(variables(template)['ALLOWED_ORIGINS']).toBe('https://chat.example.com');
});

test('it finds itself in its target group, so that it sees draining begin', () => {
  expect(JSON.stringify(variables(template)['TARGET_GROUP_ARN'])).toContain('OrchestratorTargets');
  expect(JSON.stringify(statementsIn(template))).toContain(
    'elasticloadbalancing:DescribeTargetHealth',
  );
});

test('it reads the catalogue and does not write it', () => {
  const writes = statementsIn(template).filter(({ Action }) =>
    [Action].flat().includes('dynamodb:PutItem'),
  );
  expect(JSON.stringify(writes.map(({ Resource }) => Resource))).not.toContain('Catalogue');
  expect(writes).toHaveLength(1);
});

test('a SageMaker endpoint may be called where one is configured, that one only', () => {
  expect(JSON.stringify(template.toJSON())).not.toContain('sagemaker:InvokeEndpoint');
  const configured = service({ intentEndpoint: 'intents' });
  expect(variables(configured)['INTENT_ENDPOINT']).toBe('intents');
  const [call] = statementsIn(configured).filter(
    ({ Action }) => Action === 'sagemaker:InvokeEndpoint',
  );
  expect(JSON.stringify(call?.Resource)).toContain('endpoint/intents');
});
