import type { PlatformConfiguration } from '@matsuri/contract';
import { Duration, Stack } from 'aws-cdk-lib';
import * as autoscaling from 'aws-cdk-lib/aws-autoscaling';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as cr from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';

import { acknowledge, acknowledgeSdkCalls, acknowledgeWildcard } from './acknowledge';

export interface HostCapacityProps {
  readonly cluster: ecs.Cluster;
  /** What the hosts are for; ends up in their names. */
  readonly purpose: string;
  readonly hosts: PlatformConfiguration['api']['hosts'];
}

const DISK_GIB = 30;

/**
 * EC2 hosts that come and go with the tasks on them: a capacity provider with managed scaling, draining and
 * protection of hosts that are in use. Containers cannot reach the role of their host.
 */
export class HostCapacity extends Construct {
  readonly provider: ecs.AsgCapacityProvider;
  /** In bridge mode tasks have no address of their own: their traffic is the host's. */
  readonly access: ec2.SecurityGroup;
  private readonly release: cr.AwsCustomResource;

  constructor(scope: Construct, id: string, props: HostCapacityProps) {
    super(scope, id);
    const { cluster, hosts, purpose } = props;
    this.access = new ec2.SecurityGroup(this, 'Access', {
      vpc: cluster.vpc,
      description: `Hosts of the ${purpose}: reached by the load balancer, call AWS over HTTPS`,
      allowAllOutbound: false,
    });
    this.access.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS');
    const group = new autoscaling.AutoScalingGroup(this, 'Hosts', {
      vpc: cluster.vpc,
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      launchTemplate: this.createTemplate(props),
      minCapacity: hosts.minInstances,
      maxCapacity: hosts.maxInstances,
      newInstancesProtectedFromScaleIn: true,
      groupMetrics: [autoscaling.GroupMetrics.all()],
      updatePolicy: autoscaling.UpdatePolicy.rollingUpdate(),
    });
    this.provider = new ecs.AsgCapacityProvider(this, 'Provider', {
      autoScalingGroup: group,
      enableManagedScaling: true,
      targetCapacityPercent: hosts.targetCapacityPercent,
      enableManagedTerminationProtection: true,
      enableManagedDraining: true,
    });
    cluster.addAsgCapacityProvider(this.provider);
    acknowledge(
      group,
      'AS3',
      'Hosts come and go with their tasks all day; a message each time would teach people to ignore messages.',
    );
    this.release = this.letGo(group);
    // The cluster as a whole, because CDK adds to it, at the end, what ties the provider to it: that tie cannot be
    // cut while a service or a host still holds on to it.
    this.release.node.addDependency(this.provider, cluster);
  }

  /** Services on these hosts are deleted before the hosts are let go. */
  carries(service: ecs.Ec2Service): void {
    service.node.addDependency(this.release);
  }

  private createTemplate({ hosts, purpose }: HostCapacityProps): ec2.LaunchTemplate {
    const userData = ec2.UserData.forLinux();
    userData.addCommands(
      `echo ECS_RESERVED_MEMORY=${hosts.instance.reservedMemoryMb} >> /etc/ecs/ecs.config`,
      'echo ECS_DISABLE_PRIVILEGED=true >> /etc/ecs/ecs.config',
    );
    return new ec2.LaunchTemplate(this, 'Template', {
      instanceType: new ec2.InstanceType(hosts.instance.type),
      machineImage: ecs.EcsOptimizedImage.amazonLinux2023(),
      role: this.createRole(purpose),
      securityGroup: this.access,
      userData,
      requireImdsv2: true,
      httpPutResponseHopLimit: hosts.metadataHopLimit,
      detailedMonitoring: true,
      blockDevices: [
        {
          deviceName: '/dev/xvda',
          volume: ec2.BlockDeviceVolume.ebs(DISK_GIB, {
            encrypted: true,
            volumeType: ec2.EbsDeviceVolumeType.GP3,
          }),
        },
      ],
    });
  }

  private createRole(purpose: string): iam.Role {
    const role = new iam.Role(this, 'Role', {
      description: `Hosts of the ${purpose}`,
      assumedBy: new iam.ServicePrincipal('ec2.amazonaws.com'),
    });
    const reason =
      'What the ECS agent of a host needs, as CDK writes it: reports on its one cluster.';
    acknowledge(role, 'IAM5[Action::ecs:Submit*]', reason);
    acknowledgeWildcard(role, '*', reason);
    return role;
  }

  /**
   * Protected hosts are never scaled in, so a stack that holds them would wait for ever to be deleted. This is
   * deleted first, and takes the group along, hosts and all.
   */
  private letGo(group: autoscaling.AutoScalingGroup): cr.AwsCustomResource {
    const arn = Stack.of(this).formatArn({
      service: 'autoscaling',
      resource: 'autoScalingGroup:*:autoScalingGroupName',
      resourceName: group.autoScalingGroupName,
    });
    const release = new cr.AwsCustomResource(this, 'LetGo', {
      resourceType: 'Custom::LetHostsGo',
      installLatestAwsSdk: false,
      timeout: Duration.minutes(5),
      onDelete: {
        service: 'auto-scaling',
        action: 'deleteAutoScalingGroup',
        parameters: { AutoScalingGroupName: group.autoScalingGroupName, ForceDelete: true },
        ignoreErrorCodesMatching: 'ValidationError',
      },
      policy: cr.AwsCustomResourcePolicy.fromStatements([
        new iam.PolicyStatement({
          actions: ['autoscaling:DeleteAutoScalingGroup'],
          resources: [arn],
        }),
      ]),
    });
    acknowledgeWildcard(release, arn, 'The group has an id that nobody knows before it exists.');
    acknowledgeSdkCalls(this);
    return release;
  }
}
