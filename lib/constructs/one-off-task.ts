import { Duration, Lazy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';

import { acknowledgeWildcard } from './acknowledge';
import { InlineFunction } from './inline-function';

export interface OneOffTaskProps {
  readonly cluster: ecs.ICluster;
  readonly description: string;
  /**
   * Fingerprints of its own program and of those that rely on it: when one of them changes, the task runs again
   * first. A new revision of the task alone is no change that the trigger sees.
   */
  readonly before: readonly string[];
}

const LONGEST_RUN = Duration.minutes(13);

/** Longer than the run, so that its answer is heard: who stops listening calls again, and starts a second task. */
const LONGEST_WAIT = Duration.minutes(14);

/**
 * A program that runs once, to its end, before anything that comes after it in the deployment. CloudFormation waits
 * for it and goes back when it fails, whether a pipeline deploys or a person.
 */
export class OneOffTask extends Construct {
  readonly task: ecs.FargateTaskDefinition;
  readonly access: ec2.SecurityGroup;
  readonly trigger: Trigger;

  constructor(scope: Construct, id: string, props: OneOffTaskProps) {
    super(scope, id);
    const { cluster } = props;
    this.task = new ecs.FargateTaskDefinition(this, 'Task', { cpu: 512, memoryLimitMiB: 1_024 });
    this.access = new ec2.SecurityGroup(this, 'Access', {
      vpc: cluster.vpc,
      description: `${props.description}: reached by nobody`,
      allowAllOutbound: false,
    });
    this.access.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS');
    const subnets = cluster.vpc.selectSubnets({ subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS });
    const run = new InlineFunction(this, 'Run', {
      source: 'run-once',
      description: `${props.description}: starts it and waits for its end`,
      timeout: LONGEST_RUN,
      variables: {
        CLUSTER: cluster.clusterName,
        TASK_DEFINITION: this.task.taskDefinitionArn,
        SUBNETS: subnets.subnetIds.join(','),
        SECURITY_GROUP: this.access.securityGroupId,
        // Known once the program is in.
        CONTAINER: Lazy.string({ produce: () => this.task.defaultContainer?.containerName }),
        LOG_GROUP: Lazy.string({
          produce: () => this.task.defaultContainer?.logDriverConfig?.options?.['awslogs-group'],
        }),
        BEFORE: props.before.join(','),
      },
    });
    this.allowRunning(run, cluster);
    this.trigger = new Trigger(this, 'Trigger', {
      handler: run.function,
      timeout: LONGEST_WAIT,
      executeAfter: [this.access, this.task],
    });
  }

  private allowRunning(run: InlineFunction, cluster: ecs.ICluster): void {
    run.allow(['ecs:RunTask'], [this.task.taskDefinitionArn]);
    run.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: ['ecs:DescribeTasks'],
        resources: ['*'],
        conditions: { ArnEquals: { 'ecs:cluster': cluster.clusterArn } },
      }),
    );
    acknowledgeWildcard(
      run,
      '*',
      'A task has no name before it runs; it must be of the one cluster.',
    );
    run.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.task.taskRole.roleArn, this.task.obtainExecutionRole().roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      }),
    );
  }
}
