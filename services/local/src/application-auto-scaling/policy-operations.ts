import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import { ecsTarget, notFound, paging, targetOf } from './operations';
import type { ScalingContext } from './operations';
import {
  stepConfiguration,
  toQueries,
  toStepRule,
  toTrackingRule,
  trackingConfiguration,
} from './policy-input';
import { presentAlarms, presentPolicy } from './present';
import type { ScalingPolicy } from './scaling-policy';

const policyInput = z.object({
  ...ecsTarget,
  PolicyName: z.string().min(1).max(256),
  PolicyType: z.enum(['StepScaling', 'TargetTrackingScaling']).default('StepScaling'),
  StepScalingPolicyConfiguration: stepConfiguration.optional(),
  TargetTrackingScalingPolicyConfiguration: trackingConfiguration.optional(),
});

type PolicyInput = z.output<typeof policyInput>;

/** The calls about scaling policies. */
export function policyOperations(context: ScalingContext): Operations {
  const { policies } = context;
  return {
    PutScalingPolicy: operation(policyInput, (input) => {
      targetOf(context, input.ResourceId);
      const policy = toPolicy(context, input);
      policies.save(policy);
      return { PolicyARN: policy.arn, Alarms: presentAlarms(policy) };
    }),

    DescribeScalingPolicies: operation(
      z.object({
        ServiceNamespace: ecsTarget.ServiceNamespace,
        ResourceId: z.string().optional(),
        PolicyNames: z.array(z.string()).optional(),
        ...paging,
      }),
      (input) => {
        const wanted = policies
          .list()
          .filter(
            ({ name, resourceId }) =>
              (input.ResourceId ?? resourceId) === resourceId &&
              (input.PolicyNames?.includes(name) ?? true),
          );
        const page = pageOf(wanted, input.MaxResults, input.NextToken);
        return { ScalingPolicies: page.items.map(presentPolicy), NextToken: page.nextToken };
      },
    ),

    DeleteScalingPolicy: operation(z.object({ ...ecsTarget, PolicyName: z.string() }), (input) => {
      const policy = policies.find(input.ResourceId, input.PolicyName);
      if (policy === undefined) throw notFound(`No scaling policy found: ${input.PolicyName}`);
      policies.remove(policy);
    }),
  };
}

function toPolicy(context: ScalingContext, input: PolicyInput): ScalingPolicy {
  const { PolicyName: name, ResourceId: resourceId } = input;
  const known = context.policies.find(resourceId, name);
  const path = `${randomUUID()}:resource/ecs/${resourceId}:policyName/${name}`;
  const common = {
    name,
    resourceId,
    arn: known?.arn ?? `${context.arnPrefix}:scalingPolicy:${path}`,
    createdAtMs: known?.createdAtMs ?? context.clock.nowMs(),
    memory: known?.memory ?? {},
  };
  const tracking = input.TargetTrackingScalingPolicyConfiguration;
  if (input.PolicyType === 'TargetTrackingScaling' && tracking !== undefined) {
    const stem = `TargetTracking-${resourceId}`;
    return {
      ...common,
      rule: toTrackingRule(tracking),
      queries: toQueries(tracking, resourceId),
      disableScaleIn: tracking.DisableScaleIn,
      alarmNames: known?.alarmNames ?? {
        high: `${stem}-AlarmHigh-${randomUUID()}`,
        low: `${stem}-AlarmLow-${randomUUID()}`,
      },
      configuration: { TargetTrackingScalingPolicyConfiguration: shown(tracking) },
    };
  }
  const step = input.StepScalingPolicyConfiguration;
  if (input.PolicyType === 'StepScaling' && step !== undefined) {
    return {
      ...common,
      rule: toStepRule(step),
      queries: [],
      disableScaleIn: false,
      alarmNames: undefined,
      configuration: { StepScalingPolicyConfiguration: step },
    };
  }
  throw new AwsError('ValidationException', `${input.PolicyType} needs its configuration`);
}

/** Dimensions go out as the list they came in as. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]: [string, unknown]) => [
      key,
      key === 'Dimensions' && typeof child === 'object' && child !== null
        ? Object.entries(child).map(([Name, Value]: [string, unknown]) => ({ Name, Value }))
        : shown(child),
    ]),
  );
}
