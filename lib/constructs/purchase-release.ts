import { ENVIRONMENT_TAG, purchasePrefix } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import { acknowledgeWildcard } from './acknowledge';
import { InlineFunction } from './inline-function';

export interface PurchaseReleaseProps {
  readonly platform: PlatformConfiguration;
}

/** Gives back, when the stack is deleted, what the autoscaler bought and CloudFormation knows nothing of. */
export class PurchaseRelease extends Construct {
  constructor(scope: Construct, id: string, { platform }: PurchaseReleaseProps) {
    super(scope, id);
    const prefix = purchasePrefix(platform.product.name, platform.environment);
    const release = new InlineFunction(this, 'Release', {
      source: 'release-throughput',
      description: 'Gives back provisioned throughput when the stack goes',
      timeout: Duration.minutes(14),
      variables: { NAME_PREFIX: prefix },
    });
    const anyPurchase = Stack.of(this).formatArn({
      service: 'bedrock',
      resource: 'provisioned-model',
      resourceName: '*',
    });
    release.allow(['bedrock:ListProvisionedModelThroughputs'], ['*']);
    release.function.addToRolePolicy(
      new iam.PolicyStatement({
        actions: ['bedrock:DeleteProvisionedModelThroughput'],
        resources: [anyPurchase],
        conditions: {
          StringEquals: { [`aws:ResourceTag/${ENVIRONMENT_TAG}`]: platform.environment },
        },
      }),
    );
    acknowledgeWildcard(release, '*', 'The list of purchases knows no resources.');
    acknowledgeWildcard(
      release,
      anyPurchase,
      'A purchase gets its id when it is made; it must carry the tag and the name that this environment gives.',
    );
    new CustomResource(this, 'Purchases', {
      resourceType: 'Custom::Purchases',
      serviceToken: release.function.functionArn,
      // Longer than the function, which Lambda calls again when it could not answer.
      serviceTimeout: Duration.minutes(45),
      properties: { prefix },
    });
  }
}
