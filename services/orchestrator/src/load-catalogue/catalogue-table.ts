import {
  DeleteItemCommand,
  paginateQuery,
  PutItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { TABLES } from '@matsuri/contract';
import { catalogueDocument, type CatalogueDocument } from '@matsuri/catalogue';
import { z } from 'zod';

/** A document of the table. */
interface StoredDocument {
  readonly document: CatalogueDocument;
  /** It came with the platform, and goes when it no longer does. */
  readonly shipped: boolean;
}

/** The record of truth of one tenant's catalogue. */
export interface CatalogueTable {
  read(): Promise<readonly StoredDocument[]>;
  writeShipped(document: CatalogueDocument): Promise<void>;
  remove(documentId: string): Promise<void>;
}

const { partitionKey, sortKey } = TABLES.catalogue;
const ORIGIN_SHIPPED = 'shipped';

const storedItem = z.object({
  document: z.object({ S: z.string() }),
  origin: z.object({ S: z.string() }).optional(),
});

/** A shop writes its own titles into the same table, without `origin`. */
export function catalogueTable(
  client: DynamoDBClient,
  tableName: string,
  tenantId: string,
): CatalogueTable {
  const keyOf = (documentId: string) => ({
    [partitionKey]: { S: tenantId },
    [sortKey]: { S: documentId },
  });
  return {
    async read() {
      const pages = paginateQuery(
        { client },
        {
          TableName: tableName,
          KeyConditionExpression: '#tenant = :tenant',
          ExpressionAttributeNames: { '#tenant': partitionKey },
          ExpressionAttributeValues: { ':tenant': { S: tenantId } },
          ConsistentRead: true,
        },
      );
      const found: StoredDocument[] = [];
      for await (const { Items = [] } of pages) found.push(...Items.map(storedDocument));
      return found;
    },
    async writeShipped(document) {
      const Item = {
        ...keyOf(document.id),
        document: { S: JSON.stringify(document) },
        origin: { S: ORIGIN_SHIPPED },
      };
      await client.send(new PutItemCommand({ TableName: tableName, Item }));
    },
    async remove(documentId) {
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: keyOf(documentId) }));
    },
  };
}

function storedDocument(item: unknown): StoredDocument {
  const { document, origin } = storedItem.parse(item);
  return {
    document: catalogueDocument.parse(JSON.parse(document.S)),
    shipped: origin?.S === ORIGIN_SHIPPED,
  };
}
