/** Two tenants ask the same, each with something private: nothing of one ever shows where the other can see it. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { TABLES } from '@matsuri/contract';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { ChatClient } from '../../chaos/chat/chat-client';
import { startChatCluster, type ChatCluster } from '../../chaos/chat/chat-cluster';
import { plentifulQuotas } from '../../chaos/harness/test-platform';

const TENANTS = ['tenant-amber', 'tenant-cobalt'] as const;
type Tenant = (typeof TENANTS)[number];
const CANARY: Readonly<Record<Tenant, string>> = {
  'tenant-amber': 'canary-7f3a-amber',
  'tenant-cobalt': 'canary-91bc-cobalt',
};
const QUESTIONS = ['What does shipping cost?', 'Which volume should I read next?'];

let cluster: ChatCluster;
const heard = new Map<Tenant, string>();

beforeAll(async () => {
  cluster = await startChatCluster({
    tenants: TENANTS,
    deregistrationDelayMs: 1_000,
    platform: { environment: 'test', quotas: plentifulQuotas() },
    bedrock: { pacing: { firstTokenMs: 5, tokensPerSecond: 2_000 }, answerTokens: 30 },
  });
  await cluster.startTask();
  for (const tenant of TENANTS) await converse(tenant);
}, 120_000);
afterAll(() => cluster.close());

async function converse(tenant: Tenant): Promise<void> {
  // The same user id in both shops: only the tenant tells them apart.
  const client = new ChatClient(cluster.url, cluster.apiTokens.get(tenant) ?? '', 'user-1');
  await client.start();
  await client.ask('m-0', `Remember my membership number: ${CANARY[tenant]}.`);
  for (const [at, question] of QUESTIONS.entries()) await client.ask(`m-${at + 1}`, question);
  heard.set(tenant, JSON.stringify(client.heard));
  client.close();
}

const other = (tenant: Tenant): Tenant => (tenant === TENANTS[0] ? TENANTS[1] : TENANTS[0]);

test.each(TENANTS)('%s hears nothing of the other', (tenant) => {
  expect(heard.get(tenant)).toContain('done');
  expect(heard.get(tenant)).not.toContain(CANARY[other(tenant)]);
});

test('logs and metrics name neither', () => {
  const lines = cluster.tasks.flatMap(({ process }) => process.log.lines).join('\n');
  expect(lines).toContain('serving');
  for (const canary of Object.values(CANARY)) expect(lines).not.toContain(canary);
});

test('what Redis keeps of a tenant is under keys of that tenant', async () => {
  const redis = new Redis(cluster.redis.url);
  const entries = await Promise.all(
    (await redis.keys('*')).map(async (key) => ({ key, content: await contentOf(redis, key) })),
  );
  redis.disconnect();
  expect(entries.length).toBeGreaterThan(0);
  for (const tenant of TENANTS) {
    const telling = entries.filter(({ content }) => content.includes(CANARY[tenant]));
    for (const { key } of telling) expect(key).toContain(tenant);
  }
});

async function contentOf(redis: Redis, key: string): Promise<string> {
  const kind = await redis.type(key);
  switch (kind) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    default:
      throw new Error(`a ${kind} at ${key} cannot be scanned`);
  }
}

test('turns in the table are under the tenant they belong to', async () => {
  const client = new DynamoDBClient({
    endpoint: cluster.dynamodb.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Items: items = [] } = await client.send(
    new ScanCommand({ TableName: TABLES.sessions.name }),
  );
  client.destroy();
  for (const tenant of TENANTS) {
    const telling = items.filter((item) => JSON.stringify(item).includes(CANARY[tenant]));
    expect(telling.length).toBeGreaterThan(0);
    for (const item of telling) {
      expect(JSON.stringify(item[TABLES.sessions.partitionKey])).toContain(tenant);
    }
  }
});

test('the database knows what was spent, and nothing that was said', async () => {
  const client = new Client({ connectionString: cluster.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(0);
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    const everything = rows.map(({ row }) => row).join('\n');
    for (const canary of Object.values(CANARY)) expect(everything).not.toContain(canary);
  }
  await client.end();
});
