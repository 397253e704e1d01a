import type { PlatformConfiguration } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as scaling from 'aws-cdk-lib/aws-applicationautoscaling';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { ApplicationScalingAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';

type Policy = PlatformConfiguration['scaling']['steps'][number];
type AlarmedSteps = Policy['scaleOut'];

export interface StepPolicyProps {
  readonly policy: Policy;
  readonly target: scaling.IScalableTarget;
  /** What the alarm looks at, in a period of so many seconds. */
  readonly reading: (periodSeconds: number) => cloudwatch.IMetric;
  /** Alarms are named after it. */
  readonly name: string;
}

/** One signal that adds tasks above a threshold and may take them away below another, each at its own pace. */
export class StepPolicy extends Construct {
  constructor(scope: Construct, id: string, props: StepPolicyProps) {
    super(scope, id);
    const { policy } = props;
    this.addSteps('Out', policy.name, policy.scaleOut, props);
    if (policy.scaleIn) this.addSteps('In', `${policy.name}-in`, policy.scaleIn, props);
  }

  private addSteps(
    direction: 'Out' | 'In',
    policyName: string,
    steps: AlarmedSteps,
    { target, reading, name }: StepPolicyProps,
  ): void {
    const action = new scaling.StepScalingAction(this, direction, {
      policyName,
      scalingTarget: target,
      adjustmentType: scaling.AdjustmentType.CHANGE_IN_CAPACITY,
      cooldown: Duration.seconds(steps.cooldownSeconds),
      metricAggregationType: scaling.MetricAggregationType.MAXIMUM,
    });
    for (const step of stepsFrom(steps, direction)) action.addAdjustment(step);
    const alarm = new cloudwatch.Alarm(this, `${direction}Alarm`, {
      alarmName: `${name}-${direction.toLowerCase()}`,
      alarmDescription: `Scales the service ${direction.toLowerCase()}; nobody need read it.`,
      metric: reading(steps.periodSeconds),
      threshold: steps.threshold,
      evaluationPeriods: steps.forSeconds / steps.periodSeconds,
      comparisonOperator: comparison(direction, steps.inclusive),
      // No reading is no reason: neither to grow nor to shrink.
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new ApplicationScalingAction(action));
  }
}

/** AWS counts bounds from the threshold; the outermost step has none. */
function stepsFrom(
  { steps, threshold }: AlarmedSteps,
  direction: 'Out' | 'In',
): readonly scaling.AdjustmentTier[] {
  return steps.map(({ from, to, addTasks }) => ({
    adjustment: addTasks,
    ...(direction === 'Out' && { lowerBound: from - threshold }),
    ...(to !== undefined && { upperBound: to - threshold }),
    ...(direction === 'In' && from > 0 && { lowerBound: from - threshold }),
  }));
}

function comparison(direction: 'Out' | 'In', inclusive: boolean): cloudwatch.ComparisonOperator {
  const operators = cloudwatch.ComparisonOperator;
  if (direction === 'Out') {
    return inclusive
      ? operators.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
      : operators.GREATER_THAN_THRESHOLD;
  }
  return inclusive ? operators.LESS_THAN_OR_EQUAL_TO_THRESHOLD : operators.LESS_THAN_THRESHOLD;
}
