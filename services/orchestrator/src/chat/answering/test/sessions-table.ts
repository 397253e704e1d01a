import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { TABLES } from '@matsuri/contract';

/** A client of the engine all suites share, or of a link to it. */
export function dynamodbClient(endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB']) {
  return new DynamoDBClient({
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts: 1,
  });
}

/** A sessions table of a suite's own, with the keys the contract names. */
export async function createSessionsTable(
  client: DynamoDBClient,
  TableName: string,
): Promise<void> {
  const { partitionKey, sortKey } = TABLES.sessions;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: partitionKey, KeyType: 'HASH' },
        { AttributeName: sortKey, KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: partitionKey, AttributeType: 'S' },
        { AttributeName: sortKey, AttributeType: 'S' },
      ],
    }),
  );
}
