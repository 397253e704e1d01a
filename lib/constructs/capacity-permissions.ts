import { CHAT_ALIASES, ENVIRONMENT_TAG, modelOfProfile } from '@matsuri/contract';
import type { ChatAlias, PlatformConfiguration } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';

import { acknowledgeWildcard } from './acknowledge';

/** Lets the autoscaler see what it decides by. None of these calls knows resources; all of them only read. */
export function allowReading(role: iam.Role): void {
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: [
        'cloudwatch:GetMetricData',
        'application-autoscaling:DescribeScalableTargets',
        'bedrock:ListProvisionedModelThroughputs',
      ],
      resources: ['*'],
    }),
  );
  acknowledgeWildcard(role, '*', 'These calls know no resources; they only read.');
}

/** Lets the autoscaler move the floor of one service, and nudge it down. */
export function allowMovingFloor(role: iam.Role, service: ecs.FargateService): void {
  const anyTarget = Stack.of(role).formatArn({
    service: 'application-autoscaling',
    resource: 'scalable-target',
    resourceName: '*',
  });
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: [
        'application-autoscaling:RegisterScalableTarget',
        'application-autoscaling:PutScheduledAction',
      ],
      resources: [anyTarget],
      conditions: {
        StringEquals: {
          'application-autoscaling:service-namespace': 'ecs',
          'application-autoscaling:scalable-dimension': 'ecs:service:DesiredCount',
        },
      },
    }),
  );
  acknowledgeWildcard(
    role,
    anyTarget,
    'A scalable target has an id that CloudFormation does not tell; it must be the task count of an ECS service.',
  );
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ['ecs:DescribeServices', 'ecs:UpdateService'],
      resources: [service.serviceArn],
    }),
  );
}

/** Lets the autoscaler buy and give back units: of the configured models only, under this environment's tag only. */
export function allowBuyingUnits(role: iam.Role, platform: PlatformConfiguration): void {
  const stack = Stack.of(role);
  const anyPurchase = stack.formatArn({
    service: 'bedrock',
    resource: 'provisioned-model',
    resourceName: '*',
  });
  const models = CHAT_ALIASES.map((alias) =>
    stack.formatArn({
      service: 'bedrock',
      account: '',
      resource: 'foundation-model',
      resourceName: purchasedModel(platform, alias),
    }),
  );
  const tagged = (kind: string) => ({
    StringEquals: { [`aws:${kind}/${ENVIRONMENT_TAG}`]: platform.environment },
  });
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ['bedrock:CreateProvisionedModelThroughput', 'bedrock:TagResource'],
      resources: [...models, anyPurchase],
      conditions: tagged('RequestTag'),
    }),
  );
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ['bedrock:DeleteProvisionedModelThroughput'],
      resources: [anyPurchase],
      conditions: tagged('ResourceTag'),
    }),
  );
  acknowledgeWildcard(
    role,
    anyPurchase,
    'A purchase gets its id when it is made; it must carry the tag of this environment.',
  );
}

function purchasedModel({ provisioned, models }: PlatformConfiguration, alias: ChatAlias): string {
  const [first] = models.aliases[alias];
  const model = first && modelOfProfile(models, first.profile);
  return provisioned.purchaseModelIds[alias] ?? model?.bedrockId ?? '';
}
