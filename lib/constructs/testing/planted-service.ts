import type { Stack } from 'aws-cdk-lib';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';

import { plantedVpc } from './planted';

/** A service behind a load balancer, of which nothing is to be said. */
export function plantedService(stack: Stack) {
  const vpc = plantedVpc(stack);
  const cluster = new ecs.Cluster(stack, 'Cluster', { vpc });
  const task = new ecs.FargateTaskDefinition(stack, 'Task');
  task.addContainer('program', {
    image: ecs.ContainerImage.fromRegistry('node:24-slim'),
    portMappings: [{ containerPort: 8080 }],
  });
  const targets = new elb.ApplicationTargetGroup(stack, 'Targets', {
    vpc,
    port: 8080,
    targetType: elb.TargetType.IP,
  });
  const balancer = new elb.ApplicationLoadBalancer(stack, 'Balancer', { vpc });
  const listener = balancer.addListener('Listener', { port: 80, open: false });
  listener.addTargetGroups('Planted', { targetGroups: [targets] });
  const service = new ecs.FargateService(stack, 'Service', {
    cluster,
    taskDefinition: task,
    minHealthyPercent: 100,
    circuitBreaker: { rollback: true },
  });
  return { vpc, cluster, targets, listener, service };
}
