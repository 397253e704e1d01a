import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import type * as elasticache from 'aws-cdk-lib/aws-elasticache';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { acknowledgeWildcard } from './acknowledge';
import { InlineFunction } from './inline-function';

export interface TokenRotationProps {
  readonly secret: secretsmanager.Secret;
  readonly replicationGroup: elasticache.CfnReplicationGroup;
  readonly everyDays: number;
}

/**
 * Gives Valkey a new token now and then. The server accepts the old and the new one until the next rotation, so
 * running tasks, which read theirs at start, never notice.
 */
export class TokenRotation extends Construct {
  constructor(scope: Construct, id: string, props: TokenRotationProps) {
    super(scope, id);
    const rotate = new InlineFunction(this, 'Rotate', {
      source: 'rotate-cache-token',
      description: 'Rotates the token that programs show to Valkey',
      timeout: Duration.minutes(14),
      variables: { REPLICATION_GROUP_ID: props.replicationGroup.ref },
    });
    const group = Stack.of(this).formatArn({
      service: 'elasticache',
      resource: 'replicationgroup',
      resourceName: props.replicationGroup.ref,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    rotate.allow(
      ['elasticache:ModifyReplicationGroup', 'elasticache:DescribeReplicationGroups'],
      [group],
    );
    acknowledgeWildcard(rotate, '*', 'GetRandomPassword knows no resources; it reads nothing.');
    props.secret.addRotationSchedule('Schedule', {
      rotationLambda: rotate.function,
      automaticallyAfter: Duration.days(props.everyDays),
      rotateImmediatelyOnUpdate: false,
    });
  }
}
