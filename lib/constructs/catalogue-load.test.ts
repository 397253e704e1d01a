import type { Template } from 'aws-cdk-lib/assertions';

import { CatalogueLoad } from './catalogue-load';
import { statementsIn, templateOf } from './testing/planted';
import { plantedPlatform } from './testing/planted-platform';

let template: Template;

beforeAll(() => {
  const { stack, remove, ...rest } = plantedPlatform();
  new CatalogueLoad(stack, 'Load', { ...rest, before: [] });
  template = templateOf(stack);
  remove();
});

test('it may call the model that embeds, and none that chats', () => {
  const calls = statementsIn(template).filter(({ Action }) =>
    [Action].flat().includes('bedrock:InvokeModel'),
  );
  expect(JSON.stringify(calls)).toContain('foundation-model/amazon.titan-embed-text-v2:0');
  expect(JSON.stringify(calls)).not.toContain('anthropic');
});

test('it writes the index before it may run', () => {
  template.hasResourceProperties('AWS::OpenSearchServerless::AccessPolicy', {
    Name: 'prod-catalogue-loader',
  });
  const [policy] = Object.keys(template.findResources('AWS::OpenSearchServerless::AccessPolicy'));
  const [trigger] = Object.values(template.findResources('Custom::Trigger'));
  expect(trigger?.['DependsOn']).toContain(policy);
});

test('one of them loads at a time: it is given the database that holds the lock', () => {
  const [task] = Object.values(template.findResources('AWS::ECS::TaskDefinition'));
  expect(JSON.stringify(task)).toContain('DATABASE_URL');
  expect(JSON.stringify(task)).toContain('CATALOGUE_TABLE');
});
