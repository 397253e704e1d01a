import type { Template } from 'aws-cdk-lib/assertions';
import { TABLES } from '@matsuri/contract';
import * as iam from 'aws-cdk-lib/aws-iam';

import { PlatformTable } from './platform-table';
import { plantedKey, plantedStack, statementsIn, templateOf } from './testing/planted';

function tables(keepsData: boolean): Template {
  const stack = plantedStack();
  const props = { encryptionKey: plantedKey(stack), keepsData };
  const role = (id: string) =>
    new iam.Role(stack, id, { assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com') });
  const fleet = new PlatformTable(stack, 'Fleet', { ...props, definition: TABLES.fleet });
  fleet.allowReadingAndWriting(role('Writer'));
  const catalogue = new PlatformTable(stack, 'Titles', {
    ...props,
    definition: TABLES.catalogue,
  });
  catalogue.allowReading(role('Reader'));
  return templateOf(stack);
}

let template: Template;

beforeAll(() => {
  template = tables(true);
});

test('keys, index and expiry are those of the contract', () => {
  template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    KeySchema: [{ AttributeName: 'item_key', KeyType: 'HASH' }],
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-shard',
        KeySchema: [
          { AttributeName: 'shard', KeyType: 'HASH' },
          { AttributeName: 'item_key', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
});

test('a table is paid by request and can be taken back to any second', () => {
  template.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
    BillingMode: 'PAY_PER_REQUEST',
  });
  for (const table of Object.values(template.findResources('AWS::DynamoDB::GlobalTable'))) {
    expect(JSON.stringify(table)).toContain('"PointInTimeRecoveryEnabled":true');
  }
});

test('what is kept cannot be deleted by mistake; what is not goes with its stack', () => {
  template.allResources('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Retain' });
  expect(JSON.stringify(template.toJSON())).toContain('"DeletionProtectionEnabled":true');
  tables(false).allResources('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
});

test('a reader reads; nobody scans, lists or changes tables', () => {
  const actions = statementsIn(template).flatMap(({ Action }) => [Action].flat());
  expect(actions.filter((action) => /Scan|List|Table|\*/.test(action))).toEqual([]);
  const [reader] = statementsIn(template).filter(({ Resource }) =>
    JSON.stringify(Resource).includes('Titles'),
  );
  expect(reader?.Action).toEqual(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']);
});
