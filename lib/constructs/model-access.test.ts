import type { ModelAlias } from '@matsuri/contract';
import * as iam from 'aws-cdk-lib/aws-iam';

import { allowInvokingModels } from './model-access';
import { plantedStack, statementsIn, templateOf } from './testing/planted';
import { plantedEnvironment } from './testing/planted-platform';

function statements(aliases?: readonly ModelAlias[], provisioned = false) {
  const stack = plantedStack();
  const { platform } = plantedEnvironment();
  allowInvokingModels(
    new iam.Role(stack, 'Role', { assumedBy: new iam.ServicePrincipal('ecs.amazonaws.com') }),
    { ...platform, provisioned: { ...platform.provisioned, enabled: provisioned } },
    aliases,
  );
  return statementsIn(templateOf(stack));
}

const arns = (aliases?: readonly ModelAlias[]): readonly string[] =>
  statements(aliases)
    .flatMap(({ Resource }) => [Resource].flat())
    .map((it) => JSON.stringify(it).replaceAll(/\{"Ref":"AWS::Partition"\}/g, 'aws'))
    .map((it) => it.replaceAll(/[^\w:./*-]|Fn::Join|^"|,/g, ''));

test('a profile of Japan needs the profile where it is called, and the model in both regions it may choose', () => {
  const sonnet = arns(['complex']).filter((arn) => arn.includes('claude-sonnet-5'));
  expect(sonnet).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /bedrock:ap-northeast-1:111122223333:inference-profile\/jp\.anthropic\.claude-sonnet-5$/,
      ),
      expect.stringMatching(
        /bedrock:ap-northeast-3:111122223333:inference-profile\/jp\.anthropic\.claude-sonnet-5$/,
      ),
      expect.stringMatching(
        /bedrock:ap-northeast-1::foundation-model\/anthropic\.claude-sonnet-5$/,
      ),
      expect.stringMatching(
        /bedrock:ap-northeast-3::foundation-model\/anthropic\.claude-sonnet-5$/,
      ),
    ]),
  );
});

test('a global profile needs its model with any region and with none', () => {
  expect(arns(['simple'])).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/bedrock:\*::foundation-model\/anthropic\.claude-haiku-4-5/),
      expect.stringMatching(/bedrock:::foundation-model\/anthropic\.claude-haiku-4-5/),
    ]),
  );
});

test('a model that is called by its own id needs no profile', () => {
  const [embedding, ...others] = arns(['embed']);
  expect(embedding).toMatch(
    /bedrock:ap-northeast-1::foundation-model\/amazon\.titan-embed-text-v2:0$/,
  );
  expect(others).toEqual([]);
});

test('no model is named by a star', () => {
  for (const arn of arns()) expect(arn).not.toMatch(/(?:foundation-model|inference-profile)\/\*/);
});

test('what is bought by the unit may be called only where buying is on, and only our own', () => {
  expect(JSON.stringify(statements())).not.toContain('provisioned-model');
  expect(statements(undefined, true)).toContainEqual(
    expect.objectContaining({
      Condition: { StringEquals: { 'aws:ResourceTag/matsuri:environment': 'prod' } },
    }),
  );
});

test('calling is all that is allowed', () => {
  const actions = statements().flatMap(({ Action }) => [Action].flat());
  expect(new Set(actions)).toEqual(
    new Set(['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream']),
  );
});
