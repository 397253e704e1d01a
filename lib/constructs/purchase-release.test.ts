import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { PurchaseRelease } from './purchase-release';
import { only, plantedStack, statementsIn, templateOf } from './testing/planted';
import { plantedEnvironment } from './testing/planted-platform';

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  new PurchaseRelease(stack, 'Purchases', { platform: plantedEnvironment().platform });
  template = templateOf(stack);
});

test('only purchases that carry the tag of this environment may be given back', () => {
  const give = statementsIn(template).find(
    ({ Action }) => Action === 'bedrock:DeleteProvisionedModelThroughput',
  );
  expect(give?.Condition).toEqual({
    StringEquals: { 'aws:ResourceTag/matsuri:environment': 'prod' },
  });
  expect(JSON.stringify(give?.Resource)).toContain('provisioned-model/*');
});

test('nothing is bought by it', () => {
  expect(JSON.stringify(statementsIn(template))).not.toContain('bedrock:Create');
});

test('it is told by which names to know them, and is waited for while one is still being made', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    Timeout: 14 * 60,
    Environment: { Variables: Match.objectLike({ NAME_PREFIX: 'mangaassist-prod-' }) },
  });
  expect(only(template, 'Custom::Purchases')).toMatchObject({
    ServiceTimeout: String(45 * 60),
    prefix: 'mangaassist-prod-',
  });
});
