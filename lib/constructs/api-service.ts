import { PATHS, PORTS, encodeOverrides, serviceName } from '@matsuri/contract';
import { Duration, Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as scaling from 'aws-cdk-lib/aws-applicationautoscaling';
import { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { DataStack } from '../stacks/data-stack';
import type { HostCapacity } from './host-capacity';
import { addProgram } from './program-container';
import { ProgramImage } from './program-image';
import type { Bundles } from './program-image';
import { ProgramLog } from './program-log';
import { RollbackAlarms } from './rollback-alarms';
import { requestLabel, serviceTarget } from './service-target';

export interface ApiServiceProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  readonly hosts: HostCapacity;
  readonly listener: elb.IApplicationListener;
  readonly data: DataStack;
}

/** Ports that a host hands out for containers that asked for none in particular. */
const DYNAMIC_PORTS = ec2.Port.tcpRange(32_768, 65_535);

/** Paths that belong to the management API; everything else is the orchestrator's. */
const API_PATHS = [
  PATHS.tokens,
  `${PATHS.tokens}/*`,
  PATHS.usage,
  `${PATHS.usage}/*`,
  PATHS.openapi,
];

const RULE_PRIORITY = 10;

/** The management API on its own hosts, behind the same load balancer as the chat. */
export class ApiService extends Construct {
  readonly service: ecs.Ec2Service;
  readonly targets: elb.ApplicationTargetGroup;

  constructor(scope: Construct, id: string, props: ApiServiceProps) {
    super(scope, id);
    const { api, environment: name, product } = props.environment.platform;
    this.targets = this.createTargets(props);
    const alarms = new RollbackAlarms(this, 'Rollback', {
      name: `${name}-api`,
      targets: this.targets,
    });
    this.service = new ecs.Ec2Service(this, 'Service', {
      serviceName: serviceName(product.name, 'api'),
      cluster: props.cluster,
      taskDefinition: this.createTask(props),
      capacityProviderStrategies: [
        { capacityProvider: props.hosts.provider.capacityProviderName, weight: 1 },
      ],
      placementStrategies: [
        ecs.PlacementStrategy.spreadAcross(ecs.BuiltInAttributes.AVAILABILITY_ZONE),
        ecs.PlacementStrategy.spreadAcrossInstances(),
      ],
      minHealthyPercent: api.deployment.minHealthyPercent,
      maxHealthyPercent: api.deployment.maxPercent,
      circuitBreaker: { rollback: true },
      deploymentAlarms: alarms.forDeployment,
      healthCheckGracePeriod: Duration.seconds(60),
      propagateTags: ecs.PropagatedTagSource.SERVICE,
      enableECSManagedTags: true,
    });
    this.service.attachToApplicationTargetGroup(this.targets);
    props.hosts.access.connections.allowFrom(props.listener, DYNAMIC_PORTS, 'API tasks');
    props.hosts.carries(this.service);
    this.scale(props);
  }

  private createTargets({ environment, cluster, listener }: ApiServiceProps) {
    const { drain } = environment.platform.api;
    const { healthCheck } = environment.platform.orchestrator;
    const targets = new elb.ApplicationTargetGroup(this, 'Targets', {
      vpc: cluster.vpc,
      targetType: elb.TargetType.INSTANCE,
      protocol: elb.ApplicationProtocol.HTTP,
      port: PORTS.api,
      loadBalancingAlgorithmType: elb.TargetGroupLoadBalancingAlgorithmType.ROUND_ROBIN,
      deregistrationDelay: Duration.seconds(drain.deregistrationDelaySeconds),
      healthCheck: {
        // The host's port of the health listener is not known beforehand: readiness is asked where traffic goes.
        path: PATHS.ready,
        port: 'traffic-port',
        interval: Duration.seconds(healthCheck.intervalSeconds),
        timeout: Duration.seconds(5),
        healthyThresholdCount: healthCheck.healthyCount,
        unhealthyThresholdCount: healthCheck.unhealthyCount,
        healthyHttpCodes: '200',
      },
    });
    new elb.ApplicationListenerRule(this, 'Rule', {
      listener,
      priority: RULE_PRIORITY,
      conditions: [elb.ListenerCondition.pathPatterns(API_PATHS)],
      targetGroups: [targets],
    });
    return targets;
  }

  private createTask({ environment, bundles, hosts, data }: ApiServiceProps) {
    const { platform } = environment;
    const { cpuUnits, memorySoftMb, memoryHardMb } = platform.api.hosts.task;
    const task = new ecs.Ec2TaskDefinition(this, 'Task', { networkMode: ecs.NetworkMode.BRIDGE });
    const database = data.database.allowConnecting(hosts.access);
    const cache = data.cache.allowConnecting(hosts.access);
    const container = addProgram(task, 'api', {
      image: new ProgramImage(this, 'Image', { program: 'api', bundles }).image,
      logging: new ProgramLog(this, 'Log', environment).driver,
      cpu: cpuUnits,
      memoryReservationMiB: memorySoftMb,
      memoryLimitMiB: memoryHardMb,
      dockerSecurityOptions: ['no-new-privileges'],
      stopTimeout: Duration.seconds(platform.api.drain.stopTimeoutSeconds),
      // Port 0 of the host: whichever is free.
      portMappings: [{ containerPort: PORTS.api, hostPort: 0 }],
      healthPort: PORTS.apiHealth,
      variables: {
        AWS_REGION: Stack.of(this).region,
        PLATFORM_OVERRIDES: encodeOverrides(environment.overrides),
        ...database.variables,
        DATABASE_READER_URL: database.readerUrl,
        ...cache.variables,
        ALLOWED_ORIGINS: environment.origins.join(','),
        WORKER_CONTROL_QUEUE_URL: '',
      },
      secrets: {
        ...database.secrets,
        ...cache.secrets,
        TOKEN_PEPPERS: data.access.tokenPeppers,
        ADMIN_TOKEN: data.access.administrator,
      },
    });
    container.linuxParameters?.addTmpfs({ containerPath: '/tmp', size: 64 });
    return task;
  }

  private scale({ environment }: ApiServiceProps): void {
    const { api } = environment.platform;
    const tasks = serviceTarget(this, 'Tasks', this.service, api);
    const pace = {
      scaleOutCooldown: Duration.seconds(api.scaling.scaleOutCooldownSeconds),
      scaleInCooldown: Duration.seconds(api.scaling.scaleInCooldownSeconds),
    };
    tasks.scaleToTrackMetric('Cpu', {
      ...pace,
      predefinedMetric: scaling.PredefinedMetric.ECS_SERVICE_AVERAGE_CPU_UTILIZATION,
      targetValue: api.scaling.cpuPercent,
    });
    tasks.scaleToTrackMetric('Requests', {
      ...pace,
      predefinedMetric: scaling.PredefinedMetric.ALB_REQUEST_COUNT_PER_TARGET,
      resourceLabel: requestLabel(this.targets),
      targetValue: api.scaling.requestsPerTargetPerMinute,
    });
  }
}
