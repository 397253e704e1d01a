import {
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { AUTOSCALER_ITEMS } from '@matsuri/contract';
import { encodeState, restoreState } from '../core';
import type { Kept, StateStore } from '../ports';
import { encodeNotes, restoreNotes } from '../reconcile/core/notes';
import { inTime } from './aws-call';
import { held, keyOf, textOf, type Item } from './dynamodb-items';

/** The state in one DynamoDB item that remembers the epoch it belongs to: a write of another one is refused. */
export function dynamodbState(client: DynamoDBClient, table: string): StateStore {
  const Key = keyOf(AUTOSCALER_ITEMS.state);
  const names = { '#epoch': 'epoch' };

  return {
    async claim(epoch) {
      let claimed: Item | undefined;
      const isOurs = await held(
        client
          .send(
            new UpdateItemCommand({
              TableName: table,
              Key,
              UpdateExpression: 'SET #epoch = :epoch',
              ConditionExpression: 'attribute_not_exists(#epoch) OR #epoch <= :epoch',
              ExpressionAttributeNames: names,
              ExpressionAttributeValues: { ':epoch': { N: String(epoch) } },
              ReturnValues: 'ALL_NEW',
            }),
            inTime(),
          )
          .then(({ Attributes }) => (claimed = Attributes)),
      );
      return isOurs ? keptIn(claimed) : undefined;
    },

    save: ({ state, notes }, epoch) =>
      held(
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: {
              ...Key,
              epoch: { N: String(epoch) },
              state: { S: encodeState(state) },
              notes: { S: encodeNotes(notes) },
            },
            ConditionExpression: 'attribute_not_exists(#epoch) OR #epoch = :epoch',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: { ':epoch': { N: String(epoch) } },
          }),
          inTime(),
        ),
      ),

    async peek() {
      const command = new GetItemCommand({ TableName: table, Key, ConsistentRead: true });
      const { Item } = await client.send(command, inTime());
      return keptIn(Item);
    },
  };
}

function keptIn(item: Item | undefined): Kept {
  return { state: restoreState(textOf(item, 'state')), notes: restoreNotes(textOf(item, 'notes')) };
}
