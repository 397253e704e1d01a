import { ConditionalCheckFailedException, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { TABLES } from '@matsuri/contract';

export type Item = Readonly<Record<string, AttributeValue>>;

/** The key of one of the autoscaler's items. */
export function keyOf(item: string): Record<string, AttributeValue> {
  return { [TABLES.autoscaler.partitionKey]: { S: item } };
}

export function textOf(item: Item | undefined, name: string): string | undefined {
  return item?.[name]?.S;
}

/** A whole number, or 0 where there is none. */
export function numberOf(item: Item | undefined, name: string): number {
  const value = Number(item?.[name]?.N ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

/** Runs a conditional write; false when its condition did not hold. */
export async function held(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
