import { randomUUID } from 'node:crypto';
import {
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { configure, sessionKeys } from '@matsuri/contract';
import { createLogger, createMetrics } from '@matsuri/telemetry';
import { Redis } from 'ioredis';
import { eventually } from '../../../test/eventually';
import type { SessionRef } from '../ports';
import { createSessionStore } from './create-session-store';
import { createDownstreams } from './downstreams';
import { createSessionsTable, dynamodbClient } from './test/sessions-table';

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;
const table = `sessions-${randomUUID()}`;
const dynamodb = dynamodbClient();
const redis = new Redis(process.env['REDIS_URL'] ?? '');
const configuration = configure();
const log = createLogger({ service: 'test', level: 'error' });
const metrics = createMetrics({ namespace: 'T', service: 't', log, write: () => undefined });
const downstreams = createDownstreams({ configuration, metrics, log });
let nowMs = Date.now();

function store(withRedis: boolean, client: Pick<DynamoDBClient, 'send'> = dynamodb) {
  return createSessionStore({
    configuration,
    downstreams,
    dynamodb: client,
    table,
    ...(withRedis && { redis }),
    nowMs: () => nowMs,
  });
}

const newRef = (changes: Partial<SessionRef> = {}): SessionRef => ({
  tenantId: 'tenant-a',
  userId: 'user-a',
  sessionId: randomUUID(),
  ...changes,
});
const turn = (number: number) => ({
  messageId: `m${number}`,
  askedAtMs: number,
  question: `q${number}`,
  answer: `a${number}`,
});
const messagesOf = (turns: readonly { readonly messageId: string }[]) =>
  turns.map(({ messageId }) => messageId);

beforeAll(() => createSessionsTable(dynamodb, table));
afterAll(() => {
  dynamodb.destroy();
  redis.disconnect();
  metrics.close();
});

describe.each([
  ['with Redis in front', true],
  ['on the table alone', false],
])('%s', (_, withRedis) => {
  const sessions = store(withRedis);

  test('turns come back oldest first, the last ones only, as soon as they are kept', async () => {
    const session = newRef();
    await sessions.create(session);
    for (let number = 1; number <= 12; number += 1) {
      await sessions.append(session, turn(number));
      const last = await sessions.lastTurns(session, 10, NEVER);
      expect(last.at(-1)).toEqual(turn(number));
    }
    const ten = await sessions.lastTurns(session, 10, NEVER);
    expect(messagesOf(ten)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((it) => `m${it}`));
    expect(messagesOf(await sessions.lastTurns(session, 2, NEVER))).toEqual(['m11', 'm12']);
    expect(await sessions.lastTurns(session, 50, NEVER)).toHaveLength(12);
  });

  test('nothing of another tenant or user is found, changed or told apart from nothing', async () => {
    const session = newRef();
    await sessions.create(session);
    await sessions.append(session, turn(1));
    await sessions.lastTurns(session, 10, NEVER);
    for (const stranger of [
      { ...session, tenantId: 'tenant-b' },
      { ...session, userId: 'user-b' },
      { ...session, sessionId: randomUUID() },
    ]) {
      expect(await sessions.exists(stranger, NEVER)).toBe(false);
      expect(await sessions.lastTurns(stranger, 10, NEVER)).toEqual([]);
      await sessions.append(stranger, turn(99));
    }
    expect(messagesOf(await sessions.lastTurns(session, 10, NEVER))).toEqual(['m1']);
  });

  test('a session past its time is gone, whether it was cleaned up or not', async () => {
    const session = newRef();
    await sessions.create(session);
    await sessions.append(session, turn(1));
    nowMs += (configuration.sessions.retentionDays + 1) * DAY_MS;
    try {
      expect(await sessions.exists(session, NEVER)).toBe(false);
      expect(await store(false).lastTurns(session, 10, NEVER)).toEqual([]);
    } finally {
      nowMs = Date.now();
    }
  });

  test('appends at the same time keep every turn', async () => {
    const session = newRef();
    await sessions.create(session);
    await Promise.all(
      Array.from({ length: 8 }, (_unused, at) => sessions.append(session, turn(at))),
    );
    const kept = messagesOf(await sessions.lastTurns(session, 10, NEVER));
    expect([...kept].sort()).toEqual(Array.from({ length: 8 }, (_unused, at) => `m${at}`));
  });
});

test('an id that is taken is refused to another user, and made again for its own', async () => {
  const sessions = store(false);
  const session = newRef();
  await sessions.create(session);
  await sessions.create(session);
  await expect(sessions.create({ ...session, userId: 'user-b' })).rejects.toThrow('taken');
});

test('turns that were read before an append are not put in front of it afterwards', async () => {
  const sessions = store(true);
  const session = newRef();
  await sessions.create(session);
  await sessions.append(session, turn(1));
  // A reader that has seen one turn and is slow to keep it.
  const key = sessionKeys.history(session);
  await redis.set(key, 'filling:slow-reader', 'EX', 10);
  await sessions.append(session, turn(2));
  expect(await redis.get(key)).toBeNull();
  expect(messagesOf(await sessions.lastTurns(session, 10, NEVER))).toEqual(['m1', 'm2']);
});

/** A table that is reached by whatever is sent instead. */
function tableThat(send: (command: unknown, pass: () => Promise<unknown>) => Promise<unknown>) {
  const client = {
    send: (...args: Parameters<typeof passOn>) => send(args[0], () => passOn(...args)),
  };
  return client as Pick<DynamoDBClient, 'send'>;
}

// One of the forms in which the client's method comes.
const passOn = (command: PutItemCommand, options?: { readonly abortSignal?: AbortSignal }) =>
  dynamodb.send(command, options);

/** A session of which Redis knows that nothing was said in it. */
async function knownToBeNew(): Promise<SessionRef> {
  const session = newRef();
  await store(true).create(session);
  const known = () => redis.get(sessionKeys.history(session));
  await eventually(async () => (await known())?.includes('[]'));
  return session;
}

test('a turn the table does not take leaves nothing in front of it that lacks the turn', async () => {
  const session = await knownToBeNew();
  const away = store(
    true,
    tableThat(() => Promise.reject(new Error('away'))),
  );
  await expect(away.append(session, turn(1))).rejects.toThrow('away');
  await expect(away.lastTurns(session, 10, NEVER)).rejects.toThrow('away');
});

test('nor does it while the table is still being waited for', async () => {
  const session = await knownToBeNew();
  const answers = Promise.withResolvers<undefined>();
  const slow = store(
    true,
    tableThat((_, pass) => answers.promise.then(pass)),
  );
  const kept = slow.append(session, turn(1));
  await eventually(async () => (await redis.get(sessionKeys.history(session))) === null);
  answers.resolve(undefined);
  await kept;
  expect(messagesOf(await slow.lastTurns(session, 10, NEVER))).toEqual(['m1']);
});

test('who asks again at once is remembered: a read waits for the turn that is still being kept', async () => {
  const session = await knownToBeNew();
  const mayBeKept = Promise.withResolvers<undefined>();
  const done: string[] = [];
  const slow = store(
    true,
    tableThat(async (command, pass) => {
      if (command instanceof PutItemCommand) await mayBeKept.promise;
      const reply = await pass();
      if (command instanceof PutItemCommand) done.push('kept');
      if (command instanceof QueryCommand) done.push('read');
      return reply;
    }),
  );
  const kept = slow.append(session, turn(1));
  const read = slow.lastTurns(session, 10, NEVER);
  const leaves = new AbortController();
  const left = slow.lastTurns(session, 10, leaves.signal);
  leaves.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  // Somebody who does not know of it reads meanwhile, and leaves in Redis what was found.
  expect(await store(true).lastTurns(session, 10, NEVER)).toEqual([]);
  mayBeKept.resolve(undefined);
  expect(messagesOf(await read)).toEqual(['m1']);
  expect(done).toEqual(['kept', 'read']);
  await kept;
});

test.each([
  ['kept', PutItemCommand],
  ['numbered', UpdateItemCommand],
])('a turn is kept once, though nobody heard that it was %s', async (_, lost) => {
  const session = newRef();
  await store(false).create(session);
  let tries = 0;
  const deaf = store(
    false,
    tableThat(async (command, pass) => {
      if (command instanceof lost) tries += 1;
      const reply = await pass();
      if (command instanceof lost && tries === 1) throw new Error('socket hang up');
      return reply;
    }),
  );
  await deaf.append(session, turn(1));
  expect(tries).toBe(2);
  await deaf.append(session, turn(2));
  expect(messagesOf(await deaf.lastTurns(session, 10, NEVER))).toEqual(['m1', 'm2']);
});

test('what is broken in Redis is read from the table', async () => {
  const sessions = store(true);
  const session = newRef();
  await sessions.create(session);
  await sessions.append(session, turn(1));
  await redis.set(sessionKeys.history(session), '{"userId":"user-a","turns":[{"answer":7}]}');
  expect(messagesOf(await sessions.lastTurns(session, 10, NEVER))).toEqual(['m1']);
});

test('crafted ids stay in their own partition', async () => {
  const sessions = store(false);
  const crafted = newRef({ tenantId: 'tenant-a:x', sessionId: 'y' });
  const other = newRef({ tenantId: 'tenant-a', sessionId: 'x:y' });
  await sessions.create(crafted);
  await sessions.append(crafted, turn(1));
  expect(await sessions.exists(other, NEVER)).toBe(false);
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: table }));
  const keys = Items.map((item) => item['session_key']?.S);
  expect(keys).toContain('tenant-a%3a;x:y');
});

test('an aborted read is given up at once', async () => {
  const gone = AbortSignal.abort(new Error('left'));
  await expect(store(false).lastTurns(newRef(), 10, gone)).rejects.toThrow('left');
});
