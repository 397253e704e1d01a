import { ENVIRONMENT_TAG, describeContradiction } from '@matsuri/contract';
import { Annotations, RemovalPolicies, Tags } from 'aws-cdk-lib';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
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
  // Named outright: inside the pipeline a stack would otherwise get another name, and be another stack.
  const placed = (stack: string) => ({ env, stackName: called(stack) });

  const network = new NetworkStack(scope, called('network'), {
    ...placed('network'),
    zones: environment.availabilityZones,
    natGateways: environment.natGateways,
    endpoints: environment.endpoints,
    logRetentionDays: environment.logRetentionDays,
  });
  const { vpc } = network;
  const data = new DataStack(scope, called('data'), {
    ...placed('data'),
    vpc,
    platform,
    sizes: environment.data,
    keepsData: environment.keepsData,
  });
  const chat = new ChatStack(scope, called('chat'), {
    ...placed('chat'),
    ...options,
    vpc,
    data,
    nowMs,
  });
  new ApiStack(scope, called('api'), {
    ...placed('api'),
    ...options,
    vpc,
    data,
    listener: chat.front.listener,
  });

  const firewall = new EdgeFirewallStack(scope, called('edge-firewall'), {
    ...placed('edge-firewall'),
    env: { ...env, region: 'us-east-1' },
    name: called('edge'),
    logRetentionDays: environment.logRetentionDays,
  });
  const edge = new EdgeStack(scope, called('edge'), {
    ...placed('edge'),
    ...options,
    balancer: chat.front.balancer,
    firewallArn: firewall.firewall.arn,
  });
  const capacity = new CapacityStack(scope, called('capacity'), {
    ...placed('capacity'),
    ...options,
    data,
    cluster: chat.cluster,
    chat: chat.orchestrator.service,
  });
  new ObservabilityStack(scope, called('observability'), {
    ...placed('observability'),
    environment,
    page: capacity.page.topic,
    ticket: capacity.ticket.topic,
    resources: {
      clusterName: chat.cluster.clusterName,
      serviceName: chat.orchestrator.service.serviceName,
      loadBalancerName: chat.front.balancer.loadBalancerFullName,
    },
  });

  // CDK would leave behind those of its own functions.
  RemovalPolicies.of(scope).destroy({
    applyToResourceTypes: [CfnLogGroup.CFN_RESOURCE_TYPE_NAME],
  });
  Tags.of(scope).add(ENVIRONMENT_TAG, name, { excludeResourceTypes: [...TAGGED_ONLY_LATELY] });
  for (const warning of environment.warnings) {
    Annotations.of(network).addWarningV2(`matsuri:${warning.id}`, describeContradiction(warning));
  }
  return { url: edge.url };
}
