import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';

export interface RollbackAlarmsProps {
  /** Of the service in its environment; alarms are named after it. */
  readonly name: string;
  readonly targets: elb.ApplicationTargetGroup;
}

const ERRORS_PER_MINUTE = 20;

/** What ECS watches while it replaces tasks: if one of these fires, the old tasks come back. */
export class RollbackAlarms extends Construct {
  readonly forDeployment: ecs.DeploymentAlarmConfig;

  constructor(scope: Construct, id: string, { name, targets }: RollbackAlarmsProps) {
    super(scope, id);
    const everyMinute = { period: Duration.minutes(1), statistic: cloudwatch.Stats.SUM };
    const names = {
      errors: `${name}-deployment-errors`,
      unhealthy: `${name}-deployment-unhealthy`,
    };
    new cloudwatch.Alarm(this, 'Errors', {
      alarmName: names.errors,
      alarmDescription:
        'Answers of the new tasks are server errors: the deployment is rolled back.',
      metric: targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, everyMinute),
      threshold: ERRORS_PER_MINUTE,
      evaluationPeriods: 2,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    new cloudwatch.Alarm(this, 'Unhealthy', {
      alarmName: names.unhealthy,
      alarmDescription:
        'Tasks that were taken in do not stay ready: the deployment is rolled back.',
      metric: targets.metrics.unhealthyHostCount({
        period: Duration.minutes(1),
        statistic: cloudwatch.Stats.MINIMUM,
      }),
      threshold: 1,
      evaluationPeriods: 3,
      comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    });
    this.forDeployment = {
      alarmNames: Object.values(names),
      behavior: ecs.AlarmBehavior.ROLLBACK_ON_ALARM,
    };
  }
}
