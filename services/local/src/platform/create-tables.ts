import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { TABLES } from '@matsuri/contract';
import type { TableDefinition } from '@matsuri/contract';

/** Creates the tables the data stack has, under their plain names; those that are there stay. */
export async function createTables(endpoint: string, region: string): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  try {
    await Promise.all(Object.values(TABLES).map((table) => createTable(client, table)));
  } finally {
    client.destroy();
  }
}

async function createTable(client: DynamoDBClient, table: TableDefinition): Promise<void> {
  const indexes = table.indexes ?? [];
  const names = [table, ...indexes].flatMap(({ partitionKey, sortKey }) =>
    [partitionKey, sortKey ?? []].flat(),
  );
  try {
    await client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys(table),
        AttributeDefinitions: [...new Set(names)].map((name) => ({
          AttributeName: name,
          AttributeType: 'S',
        })),
        ...(indexes.length > 0 && {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: keys(index),
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

function keys({ partitionKey, sortKey }: Pick<TableDefinition, 'partitionKey' | 'sortKey'>) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
  ];
}
