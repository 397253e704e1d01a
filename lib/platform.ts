import { ENVIRONMENT_TAG, describeContradiction } from '@matsuri/contract';
import { Annotations, Tags } from 'aws-cdk-lib';
import type { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import type { Environment } from './config/environment';
import type { Bundles } from './constructs/program-image';
import { ApiStack } from './stacks/api-stack';
import { CapacityStack } from './stacks/capacity-stack';
import { ChatStack } from './stacks/chat-stack';
import { DataStack } from './stacks/data-stack';
import { EdgeFirewallStack } from './stacks/edge-firewall-stack';
import { EdgeStack } from './stacks/edge-stack';
import { NetworkStack } from './stacks/network-stack';
import { ObservabilityStack } from './stacks/observability-stack';

/** CloudFormation learned to tag these only lately, and linters later still. */
const TAGGED_ONLY_LATELY = [
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::CloudWatch::Dashboard',
  'AWS::ElasticLoadBalancingV2::Listener',
  'AWS::ElasticLoadBalancingV2::ListenerRule',
];

export interface PlatformOptions {
  readonly environment: Environment;
  readonly bundles: Bundles;
  /** The moment of synth. */
  readonly nowMs: number;
}

/** Every stack of one environment, in the order they are deployed. */
export function addPlatform(
  scope: Construct,
  options: PlatformOptions,
): { readonly url: CfnOutput } {
  const { environment, nowMs } = options;
  const { name, platform } = environment;
  const called = (stack: string): string => `${platform.product.name}-${name}-${stack}`;
  const env = {
    region: platform.region,
    ...(environment.account !== undefined && { account: environment.account }),
  };

  const network = new NetworkStack(scope, called('network'), {
    env,
    zones: environment.availabilityZones,
    natGateways: environment.natGateways,
    endpoints: environment.endpoints,
    logRetentionDays: environment.logRetentionDays,
  });
  const { vpc } = network;
  const data = new DataStack(scope, called('data'), {
    env,
    vpc,
    platform,
    sizes: environment.data,
    keepsData: environment.keepsData,
  });
  const chat = new ChatStack(scope, called('chat'), { env, ...options, vpc, data, nowMs });
  new ApiStack(scope, called('api'), {
    env,
    ...options,
    vpc,
    data,
    listener: chat.front.listener,
  });

  const firewall = new EdgeFirewallStack(scope, called('edge-firewall'), {
    env: { ...env, region: 'us-east-1' },
    name: called('edge'),
    logRetentionDays: environment.logRetentionDays,
  });
  const edge = new EdgeStack(scope, called('edge'), {
    env,
    ...options,
    balancer: chat.front.balancer,
    firewallArn: firewall.firewall.arn,
  });
  const capacity = new CapacityStack(scope, called('capacity'), {
    env,
    ...options,
    data,
    cluster: chat.cluster,
    chat: chat.orchestrator.service,
  });
  new ObservabilityStack(scope, called('observability'), {
    env,
    environment,
    page: capacity.page.topic,
    ticket: capacity.ticket.topic,
    resources: {
      clusterName: chat.cluster.clusterName,
      serviceName: chat.orchestrator.service.serviceName,
      loadBalancerName: chat.front.balancer.loadBalancerFullName,
    },
  });

  Tags.of(scope).add(ENVIRONMENT_TAG, name, { excludeResourceTypes: [...TAGGED_ONLY_LATELY] });
  for (const warning of environment.warnings) {
    Annotations.of(network).addWarningV2(`matsuri:${warning.id}`, describeContradiction(warning));
  }
  return { url: edge.url };
}
