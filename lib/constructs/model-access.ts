import type { ModelAlias, ModelTarget, PlatformConfiguration } from '@matsuri/contract';
import { ENVIRONMENT_TAG, MODEL_ALIASES } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { acknowledgeWildcard } from './acknowledge';

/** The regions a `jp` profile may route to. */
const JAPAN = ['ap-northeast-1', 'ap-northeast-3'];

/**
 * Lets a role call the models of the catalogue's aliases and no others. A call through an inference profile needs
 * both the profile and the model behind it, in every region that the profile may choose.
 */
export function allowInvokingModels(
  role: iam.Role,
  platform: PlatformConfiguration,
  aliases: readonly ModelAlias[] = MODEL_ALIASES,
): void {
  const stack = Stack.of(role);
  const targets = aliases.flatMap((alias) => platform.models.aliases[alias]);
  const resources = new Set(targets.flatMap((target) => arnsOf(stack, platform, target)));
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
      resources: [...resources],
    }),
  );
  for (const arn of resources) {
    if (arn.includes(':*:')) acknowledgeWildcard(role, arn, ANYWHERE);
  }
  if (platform.provisioned.enabled) allowProvisioned(role, platform);
}

const ANYWHERE =
  'A global profile answers from whichever region has room, so its model is named without a region.';

function arnsOf(stack: Stack, platform: PlatformConfiguration, target: ModelTarget): string[] {
  const profile = platform.models.profiles[target.profile];
  const model = profile && platform.models.models[profile.model];
  if (profile === undefined || model === undefined) return [];
  const ofModel = (region: string) =>
    `arn:${stack.partition}:bedrock:${region}::foundation-model/${model.bedrockId}`;
  // A plain model id is called where it is; there is no profile to name.
  if (target.profile === model.bedrockId) return [ofModel(target.region)];
  const ofProfile = stack.formatArn({
    service: 'bedrock',
    region: target.region,
    resource: 'inference-profile',
    resourceName: target.profile,
  });
  return [
    ofProfile,
    ...(profile.residency === 'global' ? [ofModel('*'), ofModel('')] : JAPAN.map(ofModel)),
  ];
}

function allowProvisioned(role: iam.Role, platform: PlatformConfiguration): void {
  const anyPurchase = Stack.of(role).formatArn({
    service: 'bedrock',
    resource: 'provisioned-model',
    resourceName: '*',
  });
  acknowledgeWildcard(
    role,
    anyPurchase,
    'What is bought by the unit gets its id when it is bought; it is known by its tag.',
  );
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
      resources: [anyPurchase],
      conditions: {
        StringEquals: { [`aws:ResourceTag/${ENVIRONMENT_TAG}`]: platform.environment },
      },
    }),
  );
}
