import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';

import { ApiService } from './api-service';
import { HostCapacity } from './host-capacity';
import { only, templateOf } from './testing/planted';
import { plantedPlatform } from './testing/planted-platform';

let template: Template;

beforeAll(() => {
  const { stack, vpc, cluster, remove, ...rest } = plantedPlatform();
  const balancer = new elb.ApplicationLoadBalancer(stack, 'Balancer', { vpc });
  const listener = balancer.addListener('Listener', {
    port: 80,
    open: false,
    defaultAction: elb.ListenerAction.fixedResponse(404),
  });
  const hosts = new HostCapacity(stack, 'Hosts', {
    cluster,
    purpose: 'API',
    hosts: rest.environment.platform.api.hosts,
  });
  new ApiService(stack, 'Api', { ...rest, cluster, hosts, listener });
  template = templateOf(stack);
  remove();
});

test('tokens, usage and the reference go to the API; everything else stays with the chat', () => {
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::ListenerRule', {
    Conditions: [
      {
        Field: 'path-pattern',
        PathPatternConfig: {
          Values: ['/v1/tokens', '/v1/tokens/*', '/v1/usage', '/v1/usage/*', '/openapi.json'],
        },
      },
    ],
  });
});

test('tasks share a host by ports that it hands out, and the load balancer reaches those and no others', () => {
  template.hasResourceProperties('AWS::ECS::TaskDefinition', {
    NetworkMode: 'bridge',
    ContainerDefinitions: [
      Match.objectLike({ PortMappings: [Match.objectLike({ HostPort: 0, ContainerPort: 8090 })] }),
    ],
  });
  template.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
    FromPort: 32_768,
    ToPort: 65_535,
    SourceSecurityGroupId: Match.anyValue(),
  });
});

test('readiness is asked where traffic goes: the host’s port of any other listener is not known', () => {
  template.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    TargetType: 'instance',
    HealthCheckPort: 'traffic-port',
    HealthCheckPath: '/readyz',
  });
});

test('tasks spread over zones, then over hosts', () => {
  expect(only(template, 'AWS::ECS::Service')['PlacementStrategies']).toEqual([
    { Type: 'spread', Field: 'attribute:ecs.availability-zone' },
    { Type: 'spread', Field: 'instanceId' },
  ]);
});

test('how many tasks there are is for scaling alone to say, between two and ten', () => {
  expect(only(template, 'AWS::ECS::Service')).not.toHaveProperty('DesiredCount');
  template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
    MinCapacity: 2,
    MaxCapacity: 10,
  });
});

test('a container can write to its own /tmp and nowhere else', () => {
  template.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        ReadonlyRootFilesystem: true,
        LinuxParameters: Match.objectLike({ Tmpfs: [{ ContainerPath: '/tmp', Size: 64 }] }),
      }),
    ],
  });
});

test('usage is read from the reader, so that a long report does not hold up a payment', () => {
  const [container] = only(template, 'AWS::ECS::TaskDefinition')['ContainerDefinitions'] as {
    Environment: { Name: string; Value: unknown }[];
  }[];
  const value = (name: string) =>
    JSON.stringify(container?.Environment.find(({ Name }) => Name === name)?.Value);
  expect(value('DATABASE_READER_URL')).toContain('ReadEndpoint');
  expect(value('DATABASE_URL')).not.toContain('ReadEndpoint');
});
