/** The catalogue reaches the table and the index whole, once, and again only where it changed. */
import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  type AttributeValue,
} from '@aws-sdk/client-dynamodb';
import { catalogueDocuments, loadCatalogue as shippedCatalogue } from '@matsuri/catalogue';
import type { CatalogueDocument } from '@matsuri/catalogue';
import { defaultConfiguration, TABLES } from '@matsuri/contract';
import { embedText, startOpenSearchStandIn, type OpenSearchStandIn } from '@matsuri/local';
import { connectOpenSearch, type OpenSearchConnection } from '../adapters/opensearch-connection';
import { catalogueTable } from './catalogue-table';
import { loadCatalogue } from './load-catalogue';
import { searchIndex } from './search-index';

const DIMENSIONS = 64;
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const REGION = 'ap-northeast-1';
const documents = catalogueDocuments(shippedCatalogue(), 'east');

let openSearch: OpenSearchStandIn;
let connection: OpenSearchConnection;
const endpoint = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
const dynamodb = new DynamoDBClient({
  region: REGION,
  credentials: CREDENTIALS,
  ...(endpoint !== undefined && { endpoint }),
});
const tableName = `catalogue-${randomUUID()}`;
const table = (tenant = 'east') => catalogueTable(dynamodb, tableName, tenant);
let embedded = 0;

beforeAll(async () => {
  const { partitionKey, sortKey } = TABLES.catalogue;
  await dynamodb.send(
    new CreateTableCommand({
      TableName: tableName,
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
  openSearch = await startOpenSearchStandIn({ kind: 'vector-collection', latencyMs: 0 });
  connection = connectOpenSearch({
    url: openSearch.url,
    index: 'catalogue',
    region: REGION,
    credentials: () => Promise.resolve(CREDENTIALS),
    pool: defaultConfiguration.pools.perTask.opensearch,
  });
});

afterAll(async () => {
  await connection.close();
  await openSearch.close();
  dynamodb.destroy();
});

beforeEach(() => (embedded = 0));

function load(shipped: readonly CatalogueDocument[], tenant = 'east') {
  return loadCatalogue({
    shipped,
    table: table(tenant),
    index: searchIndex(connection, tenant),
    embed: (texts) => {
      embedded += texts.length;
      return Promise.resolve(texts.map((text) => embedText(text, DIMENSIONS)));
    },
    embeddingModel: 'amazon.titan-embed-text-v2:0',
    dimensions: DIMENSIONS,
    onProgress: () => undefined,
  });
}

const everything = { documents: documents.length, removed: 0, unindexed: 0 };

test('the first load writes and indexes everything, the second nothing', async () => {
  expect(await load(documents)).toEqual({
    ...everything,
    written: documents.length,
    indexed: documents.length,
  });
  expect(embedded).toBe(documents.length);

  expect(await load(documents)).toEqual({ ...everything, written: 0, indexed: 0 });
  expect(embedded).toBe(documents.length);
  const stored = await table().read();
  expect(stored.map(({ document }) => document.id).sort()).toEqual(
    documents.map(({ id }) => id).sort(),
  );
});

test('a changed title replaces the former one, one that no longer ships goes', async () => {
  const [first, second, ...rest] = documents;
  if (!first || !second) throw new Error('the catalogue is empty');
  const changed = { ...first, text: 'まったく新しい物語。' };
  expect(await load([changed, ...rest])).toEqual({
    documents: documents.length - 1,
    written: 1,
    removed: 1,
    indexed: 1,
    unindexed: 2,
  });
  expect(embedded).toBe(1);
  expect(await found(second.id)).toEqual([]);
  expect(await found(first.id)).toEqual([changed.text]);
  await load(documents);
});

test('a shop’s own title is indexed, and never taken away', async () => {
  const own = { ...documents[0], id: 'own-title', title: '店の自慢' };
  const Item: Record<string, AttributeValue> = {
    [TABLES.catalogue.partitionKey]: { S: 'east' },
    [TABLES.catalogue.sortKey]: { S: own.id },
    document: { S: JSON.stringify(own) },
  };
  await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
  expect(await load(documents)).toMatchObject({ written: 0, removed: 0, indexed: 1 });
  expect(await load(documents)).toMatchObject({ removed: 0, indexed: 0, unindexed: 0 });
  expect(await found(own.id)).toHaveLength(1);
});

test('tenants share the index, and see nothing of each other', async () => {
  const west = catalogueDocuments(shippedCatalogue(), 'west');
  expect(await load(west, 'west')).toMatchObject({ indexed: west.length, unindexed: 0 });
  expect(await load(documents)).toMatchObject({ indexed: 0, unindexed: 0 });
});

/** The texts that the index holds of a document of the east. */
async function found(id: string): Promise<readonly unknown[]> {
  const filter = [{ term: { tenant: 'east' } }, { term: { id } }];
  const query = JSON.stringify({ query: { bool: { filter } }, _source: ['text'] });
  const { body } = await connection.send('POST', '/_search', query);
  const reply = JSON.parse(body.toString('utf8')) as {
    hits: { hits: { _source: { text: string } }[] };
  };
  return reply.hits.hits.map(({ _source }) => _source.text);
}
