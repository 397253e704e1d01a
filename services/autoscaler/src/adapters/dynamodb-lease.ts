import { GetItemCommand, UpdateItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AUTOSCALER_ITEMS } from '@matsuri/contract';
import type { LeaseTable } from '../ports';
import { inTime } from './aws-call';
import { held, keyOf, numberOf, textOf } from './dynamodb-items';

/** How a released lease is stored: some servers take no empty text. */
const NOBODY = 'nobody';

/**
 * A lease in one DynamoDB item. No clock is compared with another machine's: the holder counts beats, and whoever
 * saw none for the lease's length may take over, if the item still is as it was seen. Every take-over has a new epoch.
 */
export function dynamodbLease(client: DynamoDBClient, table: string): LeaseTable {
  const lease = { TableName: table, Key: keyOf(AUTOSCALER_ITEMS.lease) };
  const names = { '#owner': 'owner', '#epoch': 'epoch', '#beat': 'beat' };
  const ofOwner = (owner: string, epoch: number) => ({
    ':owner': { S: owner },
    ':epoch': { N: String(epoch) },
  });

  return {
    async read() {
      const command = new GetItemCommand({ ...lease, ConsistentRead: true });
      const { Item } = await client.send(command, inTime());
      if (Item === undefined) return undefined;
      const owner = textOf(Item, 'owner') ?? NOBODY;
      return {
        owner: owner === NOBODY ? '' : owner,
        epoch: numberOf(Item, 'epoch'),
        beat: numberOf(Item, 'beat'),
      };
    },

    take: (owner, seen) =>
      held(
        client.send(
          new UpdateItemCommand({
            ...lease,
            UpdateExpression: 'SET #owner = :owner, #epoch = :epoch, #beat = :none',
            ConditionExpression:
              seen === undefined
                ? 'attribute_not_exists(#epoch)'
                : '#epoch = :seenEpoch AND #beat = :seenBeat AND #owner = :seenOwner',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: {
              ...ofOwner(owner, (seen?.epoch ?? 0) + 1),
              ':none': { N: '0' },
              ...(seen !== undefined && {
                ':seenEpoch': { N: String(seen.epoch) },
                ':seenBeat': { N: String(seen.beat) },
                ':seenOwner': { S: seen.owner === '' ? NOBODY : seen.owner },
              }),
            },
          }),
          inTime(),
        ),
      ),

    beat: (owner, epoch) =>
      held(
        client.send(
          new UpdateItemCommand({
            ...lease,
            UpdateExpression: 'SET #beat = #beat + :one',
            ConditionExpression: '#owner = :owner AND #epoch = :epoch',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: { ...ofOwner(owner, epoch), ':one': { N: '1' } },
          }),
          inTime(),
        ),
      ),

    async release(owner, epoch) {
      await held(
        client.send(
          new UpdateItemCommand({
            ...lease,
            UpdateExpression: 'SET #owner = :nobody',
            ConditionExpression: '#owner = :owner AND #epoch = :epoch',
            ExpressionAttributeNames: { '#owner': 'owner', '#epoch': 'epoch' },
            ExpressionAttributeValues: { ...ofOwner(owner, epoch), ':nobody': { S: NOBODY } },
          }),
          inTime(),
        ),
      );
    },
  };
}
