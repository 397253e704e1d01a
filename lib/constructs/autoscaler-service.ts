import { PORTS, TABLES, encodeOverrides, serviceName } from '@matsuri/contract';
import { Duration, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { DataStack } from '../stacks/data-stack';
import type { AlertTopic } from './alert-topic';
import { allowBuyingUnits, allowMovingFloor, allowReading } from './capacity-permissions';
import { PlatformTable } from './platform-table';
import { addProgram } from './program-container';
import { ProgramImage } from './program-image';
import type { Bundles } from './program-image';
import { ProgramLog } from './program-log';

export interface AutoscalerServiceProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  /** Whose floor it moves. */
  readonly chat: ecs.FargateService;
  readonly data: DataStack;
  readonly page: AlertTopic;
  readonly ticket: AlertTopic;
}

/** One holds the lease, the other waits for it. */
const TASKS = 2;
const CPU_UNITS = 256;
const MEMORY_MB = 512;

/** The capacity loop: two tasks, of which the one with the lease decides. */
export class AutoscalerService extends Construct {
  constructor(scope: Construct, id: string, props: AutoscalerServiceProps) {
    super(scope, id);
    const { platform } = props.environment;
    const access = new ec2.SecurityGroup(this, 'Access', {
      vpc: props.cluster.vpc,
      description: 'The autoscaler: reached by nobody, calls AWS over HTTPS',
      allowAllOutbound: false,
    });
    access.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS');
    new ecs.FargateService(this, 'Service', {
      serviceName: serviceName(platform.product.name, 'autoscaler'),
      cluster: props.cluster,
      taskDefinition: this.createTask(props, access),
      securityGroups: [access],
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      desiredCount: TASKS,
      minHealthyPercent: 50,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: true },
      propagateTags: ecs.PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
    });
  }

  private createTask(
    { environment, bundles, chat, data, page, ticket }: AutoscalerServiceProps,
    access: ec2.ISecurityGroup,
  ): ecs.FargateTaskDefinition {
    const { platform } = environment;
    const task = new ecs.FargateTaskDefinition(this, 'Task', {
      cpu: CPU_UNITS,
      memoryLimitMiB: MEMORY_MB,
    });
    const role = task.taskRole;
    if (!(role instanceof iam.Role)) throw new Error('The task has no role of its own');
    allowReading(role);
    allowMovingFloor(role, chat);
    if (platform.provisioned.enabled) allowBuyingUnits(role, platform);
    const lease = new PlatformTable(this, 'Lease', {
      definition: TABLES.autoscaler,
      encryptionKey: data.key,
      // It remembers minutes; the next autoscaler finds out for itself.
      keepsData: false,
    });
    const cache = data.cache.allowConnecting(access);
    addProgram(task, 'autoscaler', {
      image: new ProgramImage(this, 'Image', { program: 'autoscaler', bundles }).image,
      logging: new ProgramLog(this, 'Log', environment).driver,
      stopTimeout: Duration.seconds(30),
      healthPort: PORTS.backgroundHealth,
      variables: {
        AWS_REGION: Stack.of(this).region,
        PLATFORM_OVERRIDES: encodeOverrides(environment.overrides),
        ...cache.variables,
        AUTOSCALER_TABLE: lease.allowReadingAndWriting(role),
        CLUSTER_NAME: chat.cluster.clusterName,
        SERVICE_NAME: chat.serviceName,
        PAGE_TOPIC_ARN: page.allowPublishing(role),
        TICKET_TOPIC_ARN: ticket.allowPublishing(role),
      },
      secrets: cache.secrets,
    });
    return task;
  }
}
