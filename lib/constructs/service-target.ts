import { Stack } from 'aws-cdk-lib';
import * as scaling from 'aws-cdk-lib/aws-applicationautoscaling';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

const SERVICE_LINKED_ROLE =
  'role/aws-service-role/ecs.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_ECSService';

/** The number of a service's tasks, as something that policies and schedules may move. */
export function serviceTarget(
  scope: Construct,
  id: string,
  service: ecs.BaseService,
  bounds: { readonly minTasks: number; readonly maxTasks: number },
): scaling.ScalableTarget {
  const { partition, account } = Stack.of(scope);
  return new scaling.ScalableTarget(scope, id, {
    serviceNamespace: scaling.ServiceNamespace.ECS,
    resourceId: `service/${service.cluster.clusterName}/${service.serviceName}`,
    scalableDimension: 'ecs:service:DesiredCount',
    minCapacity: bounds.minTasks,
    maxCapacity: bounds.maxTasks,
    role: iam.Role.fromRoleArn(
      scope,
      `${id}Role`,
      `arn:${partition}:iam::${account}:${SERVICE_LINKED_ROLE}`,
    ),
  });
}

/** How Application Auto Scaling names the requests of one target group. */
export function requestLabel(targets: elb.ApplicationTargetGroup): string {
  return `${targets.firstLoadBalancerFullName}/${targets.targetGroupFullName}`;
}
