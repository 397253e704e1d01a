import { RemovalPolicy } from 'aws-cdk-lib';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface ProgramLogProps {
  readonly logRetentionDays: logs.RetentionDays;
}

/** Where a program's lines go. Metrics travel in them, so a line is sooner dropped than waited for. */
export class ProgramLog extends Construct {
  readonly driver: ecs.LogDriver;

  constructor(scope: Construct, id: string, { logRetentionDays }: ProgramLogProps) {
    super(scope, id);
    this.driver = ecs.LogDrivers.awsLogs({
      streamPrefix: 'program',
      logGroup: new logs.LogGroup(this, 'Lines', {
        retention: logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      mode: ecs.AwsLogDriverMode.NON_BLOCKING,
    });
  }
}
