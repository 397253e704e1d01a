import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';

import { DataKey } from './data-key';
import { plantedStack, statementsIn, templateOf } from './testing/planted';

function key(keepsData: boolean): Template {
  const stack = plantedStack();
  const { key: shared } = new DataKey(stack, 'Key', { keepsData });
  shared.grantDecrypt(
    new iam.Role(stack, 'Program', { assumedBy: new iam.ServicePrincipal('ecs.amazonaws.com') }),
  );
  return templateOf(stack);
}

test('the key turns by itself, and lives as long as what it encrypts', () => {
  key(true).hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'Retain',
    Properties: { EnableKeyRotation: true },
  });
  key(false).hasResource('AWS::KMS::Key', { DeletionPolicy: 'Delete' });
});

test('whoever in the account may read a secret may have it decrypted, and nobody through anything else', () => {
  key(true).hasResourceProperties('AWS::KMS::Key', {
    KeyPolicy: Match.objectLike({
      Statement: [
        Match.objectLike({ Action: 'kms:*' }),
        Match.objectLike({
          Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
          Condition: {
            StringEquals: {
              'kms:CallerAccount': '111122223333',
              'kms:ViaService': 'secretsmanager.ap-northeast-1.amazonaws.com',
            },
          },
        }),
      ],
    }),
  });
});

test('a grant is written into the role, not into the key, which may not know later stacks', () => {
  const template = key(true);
  expect(statementsIn(template)).toEqual([expect.objectContaining({ Action: 'kms:Decrypt' })]);
  const [policy] = Object.values(template.findResources('AWS::KMS::Key'));
  expect(JSON.stringify(policy)).not.toContain('Program');
});
