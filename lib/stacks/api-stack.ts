import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import { ApiService } from '../constructs/api-service';
import { HostCapacity } from '../constructs/host-capacity';
import type { Bundles } from '../constructs/program-image';
import type { DataStack } from './data-stack';

export interface ApiStackProps extends StackProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly vpc: ec2.IVpc;
  readonly data: DataStack;
  /** Of the load balancer that CloudFront reaches. */
  readonly listener: elb.IApplicationListener;
}

/** The API plane: a cluster on EC2, hosts for the API, and the management API on them. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const cluster = new ecs.Cluster(this, 'Cluster', {
      vpc: props.vpc,
      containerInsightsV2: ecs.ContainerInsights.ENABLED,
    });
    const hosts = new HostCapacity(this, 'ApiHosts', {
      cluster,
      purpose: 'API',
      hosts: props.environment.platform.api.hosts,
    });
    new ApiService(this, 'Api', { ...props, cluster, hosts });
  }
}
