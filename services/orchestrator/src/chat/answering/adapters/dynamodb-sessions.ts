import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { sessionItemKeys, TABLES } from '@matsuri/contract';
import type { SessionRef, Turn } from '../../ports';

export interface DynamodbSessionsOptions {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  readonly retentionSeconds: number;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

type Item = Record<string, AttributeValue>;

const { partitionKey, sortKey, ttlAttribute } = TABLES.sessions;
// The longest question with the longest answer stays far below the 400 KB of an item.
const LONGEST_TEXT = 60_000;

/** Somebody else's session has this id already. */
class SessionTakenError extends Error {
  override readonly name = 'SessionTakenError';
  constructor() {
    super('the session id is taken');
  }
}

/**
 * Sessions in DynamoDB: tenant and session name the partition, every item carries its user and its expiry, and both
 * are checked here, since neither a key nor DynamoDB's own clean-up says enough.
 */
export class DynamodbSessions {
  readonly #options: DynamodbSessionsOptions;

  constructor(options: DynamodbSessionsOptions) {
    this.#options = options;
  }

  async create(session: SessionRef, signal: AbortSignal): Promise<void> {
    const item = {
      ...keyOf(session, sessionItemKeys.session()),
      user_id: { S: session.userId },
      created_at_ms: { N: String(this.#options.nowMs()) },
      turns: { N: '0' },
      [ttlAttribute]: this.#expiry(),
    };
    const ConditionExpression = `attribute_not_exists(${partitionKey})`;
    if (await this.#put(item, ConditionExpression, signal)) return;
    // An answer that was lost on its way is asked for again.
    if (!(await this.exists(session, signal))) throw new SessionTakenError();
  }

  async exists(session: SessionRef, signal: AbortSignal): Promise<boolean> {
    const { Item: found } = await this.#options.client.send(
      new GetItemCommand({
        TableName: this.#options.table,
        Key: keyOf(session, sessionItemKeys.session()),
        ConsistentRead: true,
      }),
      { abortSignal: signal },
    );
    return found !== undefined && this.#isOf(found, session);
  }

  /** Oldest first. */
  async lastTurns(
    session: SessionRef,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly Turn[]> {
    const { Items = [] } = await this.#options.client.send(
      new QueryCommand({
        TableName: this.#options.table,
        KeyConditionExpression: `${partitionKey} = :session AND begins_with(${sortKey}, :turn)`,
        ExpressionAttributeValues: {
          ':session': { S: sessionItemKeys.partition(session.tenantId, session.sessionId) },
          ':turn': { S: 'turn:' },
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit,
      }),
      { abortSignal: signal },
    );
    return Items.filter((item) => this.#isOf(item, session))
      .map(turnOf)
      .toReversed();
  }

  /**
   * Keeps the turn, in as many tries as it takes: one conditional write numbers it, another puts it under its number,
   * which it has from then on. So a turn whose reply was lost is not kept twice; a number may be left unused.
   */
  keeping(session: SessionRef, turn: Turn): (signal: AbortSignal) => Promise<void> {
    let number: number | undefined;
    return async (signal) => {
      number ??= await this.#nextNumber(session, signal);
      // The session is gone, or never was this user's: there is nothing to add to.
      if (number === undefined) return;
      const item = {
        ...keyOf(session, sessionItemKeys.turn(number)),
        user_id: { S: session.userId },
        message_id: { S: turn.messageId },
        asked_at_ms: { N: String(turn.askedAtMs) },
        question: { S: turn.question.slice(0, LONGEST_TEXT) },
        answer: { S: turn.answer.slice(0, LONGEST_TEXT) },
        [ttlAttribute]: this.#expiry(),
      };
      // Where there is one already, it is this one.
      await this.#put(item, `attribute_not_exists(${sortKey})`, signal);
    };
  }

  async #nextNumber(session: SessionRef, signal: AbortSignal): Promise<number | undefined> {
    try {
      const { Attributes } = await this.#options.client.send(
        new UpdateItemCommand({
          TableName: this.#options.table,
          Key: keyOf(session, sessionItemKeys.session()),
          UpdateExpression: `SET ${ttlAttribute} = :expiry ADD turns :one`,
          ConditionExpression: `user_id = :user AND ${ttlAttribute} > :now`,
          ExpressionAttributeValues: {
            ':user': { S: session.userId },
            ':now': { N: String(this.#nowSeconds()) },
            ':expiry': this.#expiry(),
            ':one': { N: '1' },
          },
          ReturnValues: 'UPDATED_NEW',
        }),
        { abortSignal: signal },
      );
      return Number(Attributes?.['turns']?.N ?? 1);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  /** `false`: the condition did not hold. */
  async #put(item: Item, condition: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#options.client.send(
        new PutItemCommand({
          TableName: this.#options.table,
          Item: item,
          ConditionExpression: condition,
        }),
        { abortSignal: signal },
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  #isOf(item: Item, session: SessionRef): boolean {
    const expiresAt = Number(item[ttlAttribute]?.N ?? 0);
    return item['user_id']?.S === session.userId && expiresAt > this.#nowSeconds();
  }

  #expiry(): AttributeValue {
    return { N: String(this.#nowSeconds() + this.#options.retentionSeconds) };
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.nowMs() / 1_000);
  }
}

function keyOf({ tenantId, sessionId }: SessionRef, item: string) {
  return {
    [partitionKey]: { S: sessionItemKeys.partition(tenantId, sessionId) },
    [sortKey]: { S: item },
  };
}

function turnOf(item: Item): Turn {
  return {
    messageId: item['message_id']?.S ?? '',
    askedAtMs: Number(item['asked_at_ms']?.N ?? 0),
    question: item['question']?.S ?? '',
    answer: item['answer']?.S ?? '',
  };
}
