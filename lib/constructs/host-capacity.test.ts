import { configure } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type { Stack } from 'aws-cdk-lib';

import { HostCapacity } from './host-capacity';
import { only, plantedStack, plantedVpc, templateOf } from './testing/planted';

let template: Template;

function addCapacity(stack: Stack, cluster: ecs.Cluster, purpose: string): HostCapacity {
  const hosts = new HostCapacity(stack, `${purpose}Hosts`, {
    cluster,
    purpose,
    hosts: configure().api.hosts,
  });
  const task = new ecs.Ec2TaskDefinition(stack, `${purpose}Task`);
  task.addContainer('program', {
    image: ecs.ContainerImage.fromRegistry('node:24-slim'),
    memoryLimitMiB: 64,
  });
  hosts.carries(
    new ecs.Ec2Service(stack, `${purpose}Service`, {
      cluster,
      taskDefinition: task,
      capacityProviderStrategies: [
        { capacityProvider: hosts.provider.capacityProviderName, weight: 1 },
      ],
      minHealthyPercent: 100,
      circuitBreaker: { rollback: true },
    }),
  );
  return hosts;
}

beforeAll(() => {
  const stack = plantedStack();
  const cluster = new ecs.Cluster(stack, 'Cluster', { vpc: plantedVpc(stack) });
  addCapacity(stack, cluster, 'API');
  addCapacity(stack, cluster, 'Worker');
  template = templateOf(stack);
});

test('a second kind of hosts is one more of the same, in the same cluster', () => {
  template.resourceCountIs('AWS::ECS::CapacityProvider', 2);
  const { CapacityProviders } = only(template, 'AWS::ECS::ClusterCapacityProviderAssociations');
  expect(CapacityProviders).toHaveLength(2);
});

test('hosts in use are not taken away, those let go finish their tasks first, and a fifth stays free', () => {
  template.allResourcesProperties('AWS::ECS::CapacityProvider', {
    AutoScalingGroupProvider: Match.objectLike({
      ManagedTerminationProtection: 'ENABLED',
      ManagedDraining: 'ENABLED',
      ManagedScaling: Match.objectLike({ Status: 'ENABLED', TargetCapacity: 80 }),
    }),
  });
  template.allResourcesProperties('AWS::AutoScaling::AutoScalingGroup', {
    NewInstancesProtectedFromScaleIn: true,
    MinSize: '2',
    MaxSize: '10',
  });
});

test('a container cannot reach the role of its host: one hop, and a session first', () => {
  template.allResourcesProperties('AWS::EC2::LaunchTemplate', {
    LaunchTemplateData: Match.objectLike({
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    }),
  });
});

test('the agent joins the cluster, keeps 512 MB for the host, and refuses privileged containers', () => {
  const [launch] = Object.values(template.findResources('AWS::EC2::LaunchTemplate'));
  const script = JSON.stringify(launch);
  expect(script).toContain('ECS_CLUSTER=');
  expect(script).toContain('ECS_RESERVED_MEMORY=512');
  expect(script).toContain('ECS_DISABLE_PRIVILEGED=true');
});

test('disks are encrypted', () => {
  template.allResourcesProperties('AWS::EC2::LaunchTemplate', {
    LaunchTemplateData: Match.objectLike({
      BlockDeviceMappings: [
        Match.objectLike({ Ebs: Match.objectLike({ Encrypted: true, VolumeType: 'gp3' }) }),
      ],
    }),
  });
});

describe('a stack that is deleted', () => {
  const idsOf = (type: string) => Object.keys(template.findResources(type));

  test('ends services first, then hosts, then what ties providers to the cluster', () => {
    const [ties] = idsOf('AWS::ECS::ClusterCapacityProviderAssociations');
    const releases = template.findResources('Custom::LetHostsGo');
    for (const release of Object.values(releases)) {
      expect(release['DependsOn']).toContain(ties);
    }
    for (const service of Object.values(template.findResources('AWS::ECS::Service'))) {
      const waitsFor = service['DependsOn'] as string[];
      expect(waitsFor.filter((id) => Object.hasOwn(releases, id))).toHaveLength(1);
    }
  });

  test('takes protected hosts along by force, and does not mind a group that is gone', () => {
    const [release] = Object.values(template.findResources('Custom::LetHostsGo'));
    const call = JSON.stringify(release);
    expect(call).toContain('deleteAutoScalingGroup');
    expect(call).toContain('ForceDelete');
    expect(call).toContain('ignoreErrorCodesMatching');
    expect(release?.['Properties']).not.toHaveProperty('Create');
    expect(release?.['Properties']).not.toHaveProperty('Update');
  });

  test('may delete the groups of these hosts and no others', () => {
    const policies = template.findResources('AWS::IAM::Policy', {
      Properties: {
        PolicyDocument: {
          Statement: [Match.objectLike({ Action: 'autoscaling:DeleteAutoScalingGroup' })],
        },
      },
    });
    expect(Object.keys(policies)).toHaveLength(2);
    for (const policy of Object.values(policies)) {
      expect(JSON.stringify(policy)).toContain('autoScalingGroupName/');
    }
  });
});
