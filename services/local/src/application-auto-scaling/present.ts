import type { ScalableTarget, ScalingActivity } from './scalable-target';
import type { ScalingPolicy } from './scaling-policy';
import type { ScheduledAction } from './scheduled-actions';

const ECS = { ServiceNamespace: 'ecs', ScalableDimension: 'ecs:service:DesiredCount' } as const;

export function presentTarget(target: ScalableTarget): Record<string, unknown> {
  return {
    ...ECS,
    ResourceId: target.resourceId,
    MinCapacity: target.minCapacity,
    MaxCapacity: target.maxCapacity,
    RoleARN:
      'arn:aws:iam::000000000000:role/aws-service-role/ecs.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_ECSService',
    CreationTime: target.createdAtMs / 1_000,
    ScalableTargetARN: target.arn,
    SuspendedState: {
      DynamicScalingInSuspended: target.suspended.dynamicIn,
      DynamicScalingOutSuspended: target.suspended.dynamicOut,
      ScheduledScalingSuspended: target.suspended.scheduled,
    },
  };
}

export function presentPolicy(policy: ScalingPolicy): Record<string, unknown> {
  return {
    ...ECS,
    PolicyARN: policy.arn,
    PolicyName: policy.name,
    ResourceId: policy.resourceId,
    PolicyType: policy.rule.kind === 'step' ? 'StepScaling' : 'TargetTrackingScaling',
    CreationTime: policy.createdAtMs / 1_000,
    Alarms: presentAlarms(policy),
    ...policy.configuration,
  };
}

export function presentAlarms({ alarmNames }: ScalingPolicy): unknown[] {
  if (alarmNames === undefined) return [];
  return [alarmNames.high, alarmNames.low].map((name) => ({
    AlarmName: name,
    AlarmARN: `arn:aws:cloudwatch:ap-northeast-1:000000000000:alarm:${name}`,
  }));
}

export function presentScheduledAction(action: ScheduledAction): Record<string, unknown> {
  return {
    ...ECS,
    ScheduledActionName: action.name,
    ScheduledActionARN: action.arn,
    ResourceId: action.resourceId,
    Schedule: action.scheduleText,
    Timezone: action.timezone,
    StartTime: seconds(action.startMs),
    EndTime: seconds(action.endMs),
    ScalableTargetAction: { MinCapacity: action.minCapacity, MaxCapacity: action.maxCapacity },
    CreationTime: action.createdAtMs / 1_000,
  };
}

export function presentActivity(activity: ScalingActivity): Record<string, unknown> {
  return {
    ...ECS,
    ActivityId: activity.id,
    ResourceId: activity.resourceId,
    Description: activity.description,
    Cause: activity.cause,
    StartTime: activity.atMs / 1_000,
    EndTime: activity.atMs / 1_000,
    StatusCode: activity.status,
    StatusMessage: activity.statusMessage,
  };
}

function seconds(atMs: number | undefined): number | undefined {
  return atMs === undefined ? undefined : atMs / 1_000;
}
