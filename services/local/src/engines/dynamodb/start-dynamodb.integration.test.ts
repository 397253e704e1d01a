import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { startDynamodb } from './start-dynamodb';
import type { RunningDynamodb } from './start-dynamodb';

let engine: RunningDynamodb;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = await startDynamodb();
  client = new DynamoDBClient({
    endpoint: engine.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await client.send(
    new CreateTableCommand({
      TableName: 'workers',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
});
afterAll(async () => {
  client.destroy();
  await engine.close();
});

test('a new table is active at once', async () => {
  const described = await client.send(new DescribeTableCommand({ TableName: 'workers' }));
  expect(described.Table?.TableStatus).toBe('ACTIVE');
});

test('of two conditional writes to one new item, one wins', async () => {
  const claim = (epoch: string) =>
    client.send(
      new PutItemCommand({
        TableName: 'workers',
        Item: { id: { S: 'w1' }, epoch: { N: epoch } },
        ConditionExpression: 'attribute_not_exists(id)',
      }),
    );
  const outcomes = await Promise.allSettled([claim('1'), claim('2')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
