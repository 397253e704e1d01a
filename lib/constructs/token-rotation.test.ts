import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as elasticache from 'aws-cdk-lib/aws-elasticache';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';

import { plantedStack, statementsIn, templateOf } from './testing/planted';
import { TokenRotation } from './token-rotation';

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  new TokenRotation(stack, 'Rotation', {
    secret: new secretsmanager.Secret(stack, 'Token'),
    replicationGroup: new elasticache.CfnReplicationGroup(stack, 'Group', {
      replicationGroupDescription: 'Planted',
    }),
    everyDays: 30,
  });
  template = templateOf(stack);
});

test('Secrets Manager, and nobody else, may start a rotation', () => {
  template.resourceCountIs('AWS::Lambda::Permission', 1);
  template.hasResourceProperties('AWS::Lambda::Permission', {
    Principal: 'secretsmanager.amazonaws.com',
  });
  template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
    RotationRules: { ScheduleExpression: 'rate(30 days)' },
  });
});

test('the function changes the one cache and the one secret', () => {
  const ofCache = statementsIn(template).filter(({ Action }) =>
    JSON.stringify(Action).includes('elasticache:'),
  );
  expect(ofCache).toHaveLength(1);
  expect(JSON.stringify(ofCache)).toContain(':replicationgroup:');
  const ofSecret = statementsIn(template).filter(({ Action }) =>
    JSON.stringify(Action).includes('secretsmanager:PutSecretValue'),
  );
  expect(ofSecret.map(({ Resource }) => Resource)).toEqual([
    { Ref: expect.stringMatching(/^Token/) as string },
  ]);
});

test('it is told which cache, and has the minutes that a change of token takes', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    Timeout: 14 * 60,
    Environment: { Variables: { REPLICATION_GROUP_ID: { Ref: Match.stringLikeRegexp('^Group') } } },
  });
});
