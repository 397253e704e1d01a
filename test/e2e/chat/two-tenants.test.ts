/** Two tenants ask the same, each with something private: nothing of one ever shows where the other can see it. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { mitigationFlags, TABLES } from '@matsuri/contract';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { ChatClient } from '../../chaos/chat/chat-client';
import { startChatCluster, type ChatCluster } from '../../chaos/chat/chat-cluster';
import { plentifulQuotas } from '../../chaos/harness/test-platform';

const TENANTS = ['tenant-amber', 'tenant-cobalt'] as const;
type Tenant = (typeof TENANTS)[number];
// The same user ids in both shops: only the tenant tells them apart.
const USERS = ['user-1', 'user-2'] as const;

/** What one customer told their shop, and what a shop tells its customers. */
const CANARY: Readonly<Record<Tenant, string>> = {
  'tenant-amber': 'canary-7f3a-amber',
  'tenant-cobalt': 'canary-91bc-cobalt',
};
const SHOP_CANARY: Readonly<Record<Tenant, string>> = {
  'tenant-amber': 'canary-2d58-amber-shop',
  'tenant-cobalt': 'canary-c604-cobalt-shop',
};
const EVERY_CANARY = [...Object.values(CANARY), ...Object.values(SHOP_CANARY)];
const canariesOf = (tenant: Tenant) => [CANARY[tenant], SHOP_CANARY[tenant]];

const FOLLOW_UPS = ['What does shipping cost?', 'Which volume should I read next?'];
/** The first words of a session, in both shops: answers to them are kept, for a shop or for one customer. */
const PUBLIC = 'What does shipping cost?';
const PERSONAL = 'Where is my order?';
/** Asked by everybody at once: its stream is shared. */
const TOGETHER = 'When does the shop open?';

interface Heard {
  readonly tenant: Tenant;
  readonly user: string;
  readonly question: string;
  readonly text: string;
}

let cluster: ChatCluster;
const heard: Heard[] = [];
const heardOf = (question: string, tenant: Tenant) =>
  heard.filter((it) => it.question === question && it.tenant === tenant).map(({ text }) => text);

beforeAll(async () => {
  cluster = await startChatCluster({
    tenants: TENANTS,
    deregistrationDelayMs: 1_000,
    platform: { environment: 'test', quotas: plentifulQuotas() },
    bedrock: { pacing: { firstTokenMs: 5, tokensPerSecond: 2_000 }, answerTokens: 30 },
  });
  await cluster.startTask();
  await coalesce();
  for (const tenant of TENANTS) await converse(tenant);
  for (const tenant of TENANTS) {
    for (const user of USERS) await askFirst(tenant, user);
  }
  await askTogether();
}, 120_000);
afterAll(() => cluster.close());

/** As the autoscaler would; in force when a stream is handed on to other tasks. */
async function coalesce(): Promise<void> {
  const redis = new Redis(cluster.redis.url);
  const active = (['coalesce', 'extend_cache'] as const).map((mitigation) => ({
    mitigation,
    reason: 'test',
    sinceMs: 0,
  }));
  const flags = mitigationFlags.encode({ active, cacheSeconds: 300, epoch: 1 });
  await redis.set(mitigationFlags.key(), flags, 'EX', 600);
  for (let letters = 'a'; (await redis.keys('answer:frames:*')).length === 0; letters += 'a') {
    const client = await startClient(TENANTS[0], 'user-0');
    await client.ask('m-0', `Do you sell ${letters} comics?`);
    client.close();
  }
  redis.disconnect();
}

/** Lets the model answer the next prompt with this in it so. */
function answerNext(promptContains: string, text: string): void {
  const when = { operation: 'ConverseStream', promptContains };
  cluster.bedrock.script({ script: { name: 'ok', text }, when });
}

async function startClient(tenant: Tenant, user: string): Promise<ChatClient> {
  const client = new ChatClient(cluster.url, cluster.apiTokens.get(tenant) ?? '', user);
  await client.start();
  return client;
}

async function hear(client: ChatClient, asked: Omit<Heard, 'text'>): Promise<void> {
  const { text, terminals } = await client.ask(`m-${client.heard.length}`, asked.question);
  expect(terminals).toMatchObject([{ type: 'done', finish: 'stop' }]);
  heard.push({ ...asked, text });
}

async function converse(tenant: Tenant): Promise<void> {
  const [user] = USERS;
  const client = await startClient(tenant, user);
  answerNext(CANARY[tenant], `Noted: ${CANARY[tenant]}.`);
  const told = `Remember my membership number: ${CANARY[tenant]}.`;
  for (const question of [told, ...FOLLOW_UPS]) await hear(client, { tenant, user, question });
  client.close();
}

async function askFirst(tenant: Tenant, user: string): Promise<void> {
  // What is not said because the answer is there already is taken back.
  cluster.bedrock.reset();
  answerNext(PUBLIC, `Nothing, ${user}. ${SHOP_CANARY[tenant]}`);
  answerNext(PERSONAL, `With you, ${user}. ${CANARY[tenant]}`);
  for (const question of [PUBLIC, PERSONAL]) {
    const client = await startClient(tenant, user);
    await hear(client, { tenant, user, question });
    client.close();
  }
  cluster.bedrock.reset();
}

async function askTogether(): Promise<void> {
  cluster.bedrock.pace({ firstTokenMs: 500, tokensPerSecond: 100 });
  for (const text of ['At nine.', 'At ten.']) answerNext(TOGETHER, text);
  const everybody = TENANTS.flatMap((tenant) => USERS.map((user) => ({ tenant, user })));
  const asking = await Promise.all(
    everybody.map(async (who) => ({ who, client: await startClient(who.tenant, who.user) })),
  );
  await Promise.all(asking.map(({ who, client }) => hear(client, { ...who, question: TOGETHER })));
  for (const { client } of asking) client.close();
}

const other = (tenant: Tenant): Tenant => (tenant === TENANTS[0] ? TENANTS[1] : TENANTS[0]);

test.each(TENANTS)('%s hears its own, and nothing of the other', (tenant) => {
  const texts = heard.filter((it) => it.tenant === tenant).map(({ text }) => text);
  for (const canary of canariesOf(tenant)) expect(texts.join('\n')).toContain(canary);
  for (const canary of canariesOf(other(tenant))) expect(texts.join('\n')).not.toContain(canary);
});

test.each(TENANTS)('first words that tell of nobody are answered in %s once', (tenant) => {
  const [inConversation, ...asFirst] = heardOf(PUBLIC, tenant);
  expect(asFirst).toEqual(USERS.map(() => `Nothing, ${USERS[0]}. ${SHOP_CANARY[tenant]}`));
  // There the same words may mean something else.
  expect(inConversation).not.toContain(SHOP_CANARY[tenant]);
});

test.each(TENANTS)('first words of oneself are answered in %s to each customer alone', (tenant) => {
  expect(heardOf(PERSONAL, tenant)).toEqual(
    USERS.map((user) => `With you, ${user}. ${CANARY[tenant]}`),
  );
});

test('a stream is shared among the customers of a shop, and no further', () => {
  const streams = TENANTS.map((tenant) => [...new Set(heardOf(TOGETHER, tenant))]);
  expect(streams.flat().sort()).toEqual(['At nine.', 'At ten.']);
  for (const texts of streams) expect(texts).toHaveLength(1);
});

test('logs and metrics name neither', () => {
  const lines = cluster.tasks.flatMap(({ process }) => process.log.lines).join('\n');
  expect(lines).toContain('serving');
  for (const canary of EVERY_CANARY) expect(lines).not.toContain(canary);
});

test('what Redis keeps of a tenant is under keys of that tenant', async () => {
  const redis = new Redis(cluster.redis.url);
  const entries = await Promise.all(
    (await redis.keys('*')).map(async (key) => ({ key, content: await contentOf(redis, key) })),
  );
  redis.disconnect();
  const holding = (canary: string) =>
    entries.filter(({ content }) => content.includes(canary)).map(({ key }) => key);
  for (const tenant of TENANTS) {
    for (const canary of canariesOf(tenant)) {
      for (const key of holding(canary)) expect(key).toContain(tenant);
    }
    // Where each must be, else the scan has seen nothing.
    const own = holding(CANARY[tenant]);
    for (const user of USERS) {
      expect(own.filter((key) => key.startsWith(`answer:user:${tenant}:${user}:`))).not.toEqual([]);
    }
    expect(own.filter((key) => key.startsWith('session:frames:'))).not.toEqual([]);
    expect(own.filter((key) => key.startsWith('answer:public:'))).toEqual([]);
    const shared = holding(SHOP_CANARY[tenant]);
    expect(shared.filter((key) => key.startsWith(`answer:public:${tenant}:`))).toHaveLength(1);
    expect(shared.filter((key) => key.startsWith(`answer:frames:{${tenant}:`))).toHaveLength(1);
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
      return streamed(await redis.xrange(key, '-', '+'));
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

/** Everything in a stream, and once more what was said in it, put together: words come in pieces. */
function streamed(entries: readonly [id: string, fields: string[]][]): string {
  const everything = entries.flatMap(([, fields]) => fields).join('\n');
  const said = [...everything.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text);
  return `${everything}\n${said.join('')}`;
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
    for (const canary of EVERY_CANARY) expect(everything).not.toContain(canary);
  }
  await client.end();
});
