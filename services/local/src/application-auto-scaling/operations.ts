import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import { presentActivity, presentTarget } from './present';
import type { PolicyRunner } from './policy-runner';
import { withLimits } from './scalable-target';
import type { ScalableTarget } from './scalable-target';
import type { ScheduledActions } from './scheduled-actions';
import type { TargetBook } from './target-book';

/** The only kind of target the stand-in scales. */
export const ecsTarget = {
  ServiceNamespace: z.literal('ecs', 'only the namespace ecs is supported by this local stand-in'),
  ResourceId: z.string().regex(/^service\/[^/]+\/[^/]+$/, 'must be service/<cluster>/<name>'),
  ScalableDimension: z.literal('ecs:service:DesiredCount'),
};

export const paging = {
  MaxResults: z.number().int().min(1).max(50).default(50),
  NextToken: z.string().optional(),
};

const capacity = z.number().int().min(0);

const registration = z.object({
  ...ecsTarget,
  MinCapacity: capacity.optional(),
  MaxCapacity: capacity.optional(),
  SuspendedState: z
    .object({
      DynamicScalingInSuspended: z.boolean().optional(),
      DynamicScalingOutSuspended: z.boolean().optional(),
      ScheduledScalingSuspended: z.boolean().optional(),
    })
    .optional(),
});

/** What the operations of Application Auto Scaling work on. */
export interface ScalingContext {
  readonly targets: TargetBook;
  readonly policies: PolicyRunner;
  readonly schedules: ScheduledActions;
  readonly clock: Clock;
  readonly arnPrefix: string;
}

export function targetOf({ targets }: ScalingContext, resourceId: string): ScalableTarget {
  const target = targets.find(resourceId);
  if (target !== undefined) return target;
  throw notFound(`No scalable target registered for ${resourceId}`);
}

export function notFound(message: string): AwsError {
  return new AwsError('ObjectNotFoundException', message);
}

/** The calls about scalable targets and what happened to them. */
export function targetOperations(context: ScalingContext): Operations {
  const { targets, policies, schedules } = context;
  return {
    RegisterScalableTarget: operation(registration, (input) => {
      if (targets.capacityOf(input.ResourceId) === undefined) {
        throw new AwsError('ValidationException', `ECS service doesn't exist: ${input.ResourceId}`);
      }
      const target = registered(context, input);
      targets.save(target);
      return { ScalableTargetARN: target.arn };
    }),

    DescribeScalableTargets: operation(
      z.object({
        ServiceNamespace: ecsTarget.ServiceNamespace,
        ResourceIds: z.array(z.string()).optional(),
        ...paging,
      }),
      (input) => {
        const wanted = targets
          .list()
          .filter(({ resourceId }) => input.ResourceIds?.includes(resourceId) ?? true);
        const page = pageOf(wanted, input.MaxResults, input.NextToken);
        return { ScalableTargets: page.items.map(presentTarget), NextToken: page.nextToken };
      },
    ),

    DeregisterScalableTarget: operation(z.object(ecsTarget), ({ ResourceId: resourceId }) => {
      targetOf(context, resourceId);
      targets.remove(resourceId);
      for (const policy of policies.list()) {
        if (policy.resourceId === resourceId) policies.remove(policy);
      }
      for (const action of schedules.list()) {
        if (action.resourceId === resourceId) schedules.remove(action);
      }
    }),

    DescribeScalingActivities: operation(
      z.object({
        ServiceNamespace: ecsTarget.ServiceNamespace,
        ResourceId: z.string().optional(),
        ...paging,
      }),
      (input) => {
        const wanted = targets
          .activities()
          .filter(({ resourceId }) => (input.ResourceId ?? resourceId) === resourceId);
        const page = pageOf(wanted, input.MaxResults, input.NextToken);
        return { ScalingActivities: page.items.map(presentActivity), NextToken: page.nextToken };
      },
    ),
  };
}

function registered(context: ScalingContext, input: z.output<typeof registration>): ScalableTarget {
  const known = context.targets.find(input.ResourceId);
  if (known === undefined && (input.MinCapacity === undefined || input.MaxCapacity === undefined)) {
    throw new AwsError('ValidationException', 'A new target needs MinCapacity and MaxCapacity');
  }
  const base = known ?? {
    resourceId: input.ResourceId,
    arn: `${context.arnPrefix.replace(':autoscaling:', ':application-autoscaling:')}:scalable-target/${randomUUID()}`,
    createdAtMs: context.clock.nowMs(),
    minCapacity: 0,
    maxCapacity: 0,
    suspended: { dynamicIn: false, dynamicOut: false, scheduled: false },
  };
  const limited = withLimits(base, {
    minCapacity: input.MinCapacity,
    maxCapacity: input.MaxCapacity,
  });
  const state = input.SuspendedState;
  return {
    ...limited,
    suspended: {
      dynamicIn: state?.DynamicScalingInSuspended ?? base.suspended.dynamicIn,
      dynamicOut: state?.DynamicScalingOutSuspended ?? base.suspended.dynamicOut,
      scheduled: state?.ScheduledScalingSuspended ?? base.suspended.scheduled,
    },
  };
}
