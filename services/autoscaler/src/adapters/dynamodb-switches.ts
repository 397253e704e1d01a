import {
  BatchGetItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { AUTOSCALER_ITEMS, TABLES } from '@matsuri/contract';
import { SWITCHES, type SwitchName, type SwitchNote, type Switches } from '../ports';
import { inTime } from './aws-call';
import { keyOf, numberOf, textOf } from './dynamodb-items';

/** Switches are items: one that exists is set. */
export function dynamodbSwitches(client: DynamoDBClient, table: string): Switches {
  return {
    async read() {
      const Keys = SWITCHES.map((name) => keyOf(AUTOSCALER_ITEMS[name]));
      const command = new BatchGetItemCommand({
        RequestItems: { [table]: { Keys, ConsistentRead: true } },
      });
      const { Responses, UnprocessedKeys } = await client.send(command, inTime());
      // A switch that could not be read could be set.
      if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Error('switches were not read');
      const set: Partial<Record<SwitchName, SwitchNote>> = {};
      for (const item of Responses?.[table] ?? []) {
        const key = textOf(item, TABLES.autoscaler.partitionKey);
        const name = SWITCHES.find((it) => AUTOSCALER_ITEMS[it] === key);
        if (name === undefined) continue;
        set[name] = {
          by: textOf(item, 'by') ?? 'somebody',
          reason: textOf(item, 'reason') ?? '',
          atMs: numberOf(item, 'at_ms'),
        };
      }
      return set;
    },
    async set(name, { by, reason, atMs }) {
      const Item = {
        ...keyOf(AUTOSCALER_ITEMS[name]),
        by: { S: by },
        reason: { S: reason },
        at_ms: { N: String(Math.round(atMs)) },
      };
      await client.send(new PutItemCommand({ TableName: table, Item }), inTime());
    },
    async clear(name) {
      const Key = keyOf(AUTOSCALER_ITEMS[name]);
      await client.send(new DeleteItemCommand({ TableName: table, Key }), inTime());
    },
  };
}
