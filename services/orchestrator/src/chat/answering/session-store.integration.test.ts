import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { configure, sessionKeys } from '@matsuri/contract';
import { createLogger, createMetrics } from '@matsuri/telemetry';
import { Redis } from 'ioredis';
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

function store(withRedis: boolean) {
  return createSessionStore({
    configuration,
    downstreams,
    dynamodb,
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
