/** A drain that runs out of time: what is still being answered ends honestly, and is answered anew elsewhere. */
import { HEADERS, isTerminal, parseFrameId, PATHS, serverFrameSchema } from '@matsuri/contract';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { z } from 'zod';
import { ChatClient } from '../../chaos/chat/chat-client';
import { startChatCluster, type ChatCluster } from '../../chaos/chat/chat-cluster';
import { eventually } from '../../chaos/harness/eventually';
import { plentifulQuotas } from '../../chaos/harness/test-platform';

const TENANT = 'shop';
const USER = 'user-1';
const DRAIN_SECONDS = 13;
const QUESTION = 'Tell me about every volume, slowly.';
/** Far longer than the drain waits. */
const SLOW = { firstTokenMs: 50, firstTokenMsPer1000Input: 0, tokensPerSecond: 2, jitter: 0 };
const QUICK = { ...SLOW, tokensPerSecond: 2_000 };

let cluster: ChatCluster;
let client: ChatClient;

beforeAll(async () => {
  cluster = await startChatCluster({
    tenants: [TENANT],
    deregistrationDelayMs: 60_000,
    platform: {
      environment: 'test',
      quotas: plentifulQuotas(),
      sessions: { reconnectJitterMs: 100 },
      orchestrator: { drain: { drainSeconds: DRAIN_SECONDS }, targetHealthPollSeconds: 1 },
    },
    bedrock: { pacing: SLOW, answerTokens: 80 },
  });
  await cluster.startTask();
  client = new ChatClient(cluster.url, cluster.apiTokens.get(TENANT) ?? '', USER);
  await client.start();
}, 120_000);
afterAll(async () => {
  client.close();
  await cluster.close();
});

test('the task ends the answer itself, settles it, and exits 0 in time', async () => {
  const answered = client.ask('m-1', QUESTION);
  await eventually('words come', () => (client.heard[0]?.text ?? '') !== '');
  // What has begun keeps its pace.
  cluster.bedrock.pace(QUICK);
  const [old] = cluster.tasks;
  if (!old) throw new Error('there is no task');
  await cluster.startTask();
  cluster.deregister(old);
  const beganAtMs = performance.now();
  await old.process.end('SIGTERM');
  expect(old.process.exitCode).toBe(0);
  expect(performance.now() - beganAtMs).toBeLessThan(DRAIN_SECONDS * 1_000);
  const heard = await answered;
  expect(heard).toMatchObject({ restarts: 1, gaps: 0, repeats: 0 });
  expect(heard.terminals.map(({ type }) => type)).toEqual(['done']);
  expect(heard.text).toBe(said('finished').at(-1)?.text);
}, 60_000);

test('its frames end with its own word, and then come those of the answer made anew', async () => {
  // The end reaches its client first, and a moment later those who may ask for it elsewhere.
  const frames = await eventually('the end is kept', async () => {
    const kept = await keptFrames();
    const last = kept.at(-1);
    return last?.type === 'done' && kept;
  });
  const ends = frames.filter(isTerminal);
  expect(ends).toEqual([
    expect.objectContaining({ type: 'error', code: 'answer_lost' }),
    expect.objectContaining({ type: 'done', finish: 'stop' }),
  ]);
  const [cut, anew] = ends.map(({ id }) => parseFrameId(id));
  const epochs = Map.groupBy(frames, ({ id }) => parseFrameId(id)?.epoch);
  expect([...epochs.keys()]).toEqual([cut?.epoch, anew?.epoch]);
  for (const [epoch, ofOne] of epochs) {
    expect(ofOne.map(({ id }) => id)).toEqual(ofOne.map((_, seq) => `${String(epoch)}:${seq}`));
  }
});

test('what was cut is paid for and no turn; what was made anew is one', async () => {
  const [cut] = said('aborted');
  const rows = await eventually('all is settled', async () => {
    const found = await attemptRows();
    return found.every(({ status }) => status !== 'reserved') && found;
  });
  expect(rows.map(({ status }) => status).sort()).toEqual(['estimated', 'settled']);
  const row = rows.find(({ attempt_id: id }) => id === cut?.attemptId);
  expect(row).toMatchObject({ status: 'estimated', outcome: 'client-gone' });
  expect(Number(row?.['output_tokens'])).toBeGreaterThan(0);
  expect(Number(row?.['output_tokens'])).toBeLessThanOrEqual(cut?.tokensEmitted ?? 0);
  const kept = await eventually('a turn is kept', async () => {
    const found = await turns();
    return found.length > 0 && found;
  });
  expect(kept).toEqual([{ question: QUESTION, answer: said('finished').at(-1)?.text }]);
});

/** Conversations by how they ended. */
const said = (how: 'finished' | 'aborted') =>
  cluster.bedrock
    .ledger()
    .filter(({ operation, outcome }) => operation === 'ConverseStream' && outcome === how);

async function keptFrames() {
  const redis = new Redis(cluster.redis.url);
  const [key = ''] = await redis.keys('session:frames:*');
  const entries = await redis.xrange(key, '-', '+');
  redis.disconnect();
  const framesOfEntry = z.array(serverFrameSchema);
  return entries.flatMap(([, [, text]]) => framesOfEntry.parse(JSON.parse(text ?? '')));
}

async function attemptRows() {
  const database = new Client({ connectionString: cluster.databaseUrl });
  await database.connect();
  const { rows } = await database.query<Record<string, string>>(
    `SELECT attempt_id, status, outcome, output_tokens FROM usage_attempts WHERE requested_model <> 'embed'`,
  );
  await database.end();
  return rows;
}

const session = z.object({
  turns: z.array(z.object({ question: z.string(), answer: z.string() })),
});

async function turns() {
  const headers = {
    authorization: `Bearer ${cluster.apiTokens.get(TENANT) ?? ''}`,
    [HEADERS.endUser]: USER,
  };
  const response = await fetch(`${cluster.url}${PATHS.sessions}/${client.sessionId}`, { headers });
  return session.parse(await response.json()).turns;
}
