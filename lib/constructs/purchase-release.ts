import { purchasePrefix } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
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
      timeout: Duration.minutes(5),
      variables: { NAME_PREFIX: prefix },
    });
    const anyPurchase = Stack.of(this).formatArn({
      service: 'bedrock',
      resource: 'provisioned-model',
      resourceName: '*',
    });
    release.allow(['bedrock:ListProvisionedModelThroughputs'], ['*']);
    release.allow(['bedrock:DeleteProvisionedModelThroughput'], [anyPurchase]);
    acknowledgeWildcard(release, '*', 'The list of purchases knows no resources.');
    acknowledgeWildcard(
      release,
      anyPurchase,
      'A purchase gets its id when it is made; the function goes by the name that this environment gives.',
    );
    new CustomResource(this, 'Purchases', {
      resourceType: 'Custom::Purchases',
      serviceToken: release.function.functionArn,
      serviceTimeout: Duration.minutes(6),
      properties: { prefix },
    });
  }
}
