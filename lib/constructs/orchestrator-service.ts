import { PATHS, PORTS, encodeOverrides, serviceName } from '@matsuri/contract';
import { Duration, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { DataStack } from '../stacks/data-stack';
import { acknowledgeWildcard } from './acknowledge';
import { allowInvokingModels } from './model-access';
import { addProgram } from './program-container';
import { ProgramImage } from './program-image';
import type { Bundles } from './program-image';
import { ProgramLog } from './program-log';
import { RollbackAlarms } from './rollback-alarms';

export interface OrchestratorServiceProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  readonly listener: elb.IApplicationListener;
  readonly data: DataStack;
}

/** The chat program on Fargate, behind the internal load balancer. */
export class OrchestratorService extends Construct {
  readonly service: ecs.FargateService;
  readonly targets: elb.ApplicationTargetGroup;
  readonly image: ProgramImage;

  constructor(scope: Construct, id: string, props: OrchestratorServiceProps) {
    super(scope, id);
    const { platform } = props.environment;
    const { orchestrator } = platform;
    const securityGroup = new ec2.SecurityGroup(this, 'Access', {
      vpc: props.cluster.vpc,
      description: 'The orchestrator: reached by the load balancer, calls AWS over HTTPS',
      allowAllOutbound: false,
    });
    securityGroup.addEgressRule(ec2.Peer.anyIpv4(), ec2.Port.HTTPS, 'AWS, other regions included');
    this.image = new ProgramImage(this, 'Image', {
      program: 'orchestrator',
      bundles: props.bundles,
    });
    this.targets = this.createTargets(props);
    props.listener.addTargetGroups('Chat', { targetGroups: [this.targets] });
    const alarms = new RollbackAlarms(this, 'Rollback', {
      name: `${platform.environment}-orchestrator`,
      targets: this.targets,
    });
    this.service = new ecs.FargateService(this, 'Service', {
      serviceName: serviceName(platform.product.name, 'orchestrator'),
      cluster: props.cluster,
      taskDefinition: this.createTask(props, securityGroup),
      securityGroups: [securityGroup],
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      minHealthyPercent: orchestrator.deployment.minHealthyPercent,
      maxHealthyPercent: orchestrator.deployment.maxPercent,
      circuitBreaker: { rollback: true },
      deploymentAlarms: alarms.forDeployment,
      healthCheckGracePeriod: Duration.seconds(60),
      availabilityZoneRebalancing: ecs.AvailabilityZoneRebalancing.ENABLED,
      propagateTags: ecs.PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
    });
    this.service.attachToApplicationTargetGroup(this.targets);
    this.service.connections.allowFrom(props.listener, ec2.Port.tcp(PORTS.orchestratorHealth));
  }

  private createTargets({ environment, cluster }: OrchestratorServiceProps) {
    const { drain, healthCheck } = environment.platform.orchestrator;
    return new elb.ApplicationTargetGroup(this, 'Targets', {
      vpc: cluster.vpc,
      targetType: elb.TargetType.IP,
      protocol: elb.ApplicationProtocol.HTTP,
      port: PORTS.orchestrator,
      loadBalancingAlgorithmType: elb.TargetGroupLoadBalancingAlgorithmType.ROUND_ROBIN,
      deregistrationDelay: Duration.seconds(drain.deregistrationDelaySeconds),
      healthCheck: {
        path: PATHS.ready,
        port: String(PORTS.orchestratorHealth),
        interval: Duration.seconds(healthCheck.intervalSeconds),
        timeout: Duration.seconds(5),
        healthyThresholdCount: healthCheck.healthyCount,
        unhealthyThresholdCount: healthCheck.unhealthyCount,
        healthyHttpCodes: '200',
      },
    });
  }

  private createTask(
    { environment, data }: OrchestratorServiceProps,
    access: ec2.ISecurityGroup,
  ): ecs.FargateTaskDefinition {
    const { platform } = environment;
    const task = new ecs.FargateTaskDefinition(this, 'Task', {
      cpu: platform.orchestrator.cpuUnits,
      memoryLimitMiB: platform.orchestrator.memoryMb,
      runtimePlatform: {
        cpuArchitecture: ecs.CpuArchitecture.X86_64,
        operatingSystemFamily: ecs.OperatingSystemFamily.LINUX,
      },
    });
    const role = this.roleOf(task, environment);
    const database = data.database.allowConnecting(access);
    const cache = data.cache.allowConnecting(access);
    const vectors = data.vectors.allowSearching(access, role, 'orchestrator');
    addProgram(task, 'orchestrator', {
      image: this.image.image,
      logging: new ProgramLog(this, 'Log', environment).driver,
      stopTimeout: Duration.seconds(platform.orchestrator.drain.stopTimeoutSeconds),
      portMappings: [
        { containerPort: PORTS.orchestrator },
        { containerPort: PORTS.orchestratorHealth },
      ],
      healthPort: PORTS.orchestratorHealth,
      variables: {
        AWS_REGION: Stack.of(this).region,
        PLATFORM_OVERRIDES: encodeOverrides(environment.overrides),
        ...database.variables,
        ...cache.variables,
        ...vectors,
        SESSIONS_TABLE: data.sessions.allowReadingAndWriting(role),
        CATALOGUE_TABLE: data.catalogue.allowReading(role),
        INTENT_ENDPOINT: environment.intentEndpoint ?? '',
        TARGET_GROUP_ARN: this.targets.targetGroupArn,
        ALLOWED_ORIGINS: environment.origins.join(','),
      },
      secrets: {
        ...database.secrets,
        ...cache.secrets,
        TOKEN_PEPPERS: data.access.tokenPeppers,
      },
    });
    return task;
  }

  private roleOf(task: ecs.FargateTaskDefinition, { platform, intentEndpoint }: Environment) {
    const role = task.taskRole;
    if (!(role instanceof iam.Role)) throw new Error('The task has no role of its own');
    allowInvokingModels(role, platform);
    role.addToPolicy(
      new iam.PolicyStatement({
        actions: ['elasticloadbalancing:DescribeTargetHealth'],
        resources: ['*'],
      }),
    );
    acknowledgeWildcard(role, '*', 'DescribeTargetHealth knows no resources; it only reads.');
    if (intentEndpoint !== undefined) {
      role.addToPolicy(
        new iam.PolicyStatement({
          actions: ['sagemaker:InvokeEndpoint'],
          resources: [
            Stack.of(this).formatArn({
              service: 'sagemaker',
              resource: 'endpoint',
              resourceName: intentEndpoint,
            }),
          ],
        }),
      );
    }
    return role;
  }
}
