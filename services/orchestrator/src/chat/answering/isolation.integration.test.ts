import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { mitigationFlags } from '@matsuri/contract';
import { eventually } from '../../../test/eventually';
import type { SessionRef } from '../ports';
import { partsOf, setAnsweringStage, textOf, unheard, type AnsweringStage } from './test/stage';

/** Two shops, two customers each, the same questions; every customer has a secret of their own, and so has every shop. */
interface Customer {
  readonly tenantId: string;
  readonly userId: string;
  readonly canary: string;
}

const QUESTIONS = [
  '私の注文はどこですか',
  '送料はいくらですか',
  'ほしい物リストを見せて',
  'おすすめの漫画を教えて',
  'where is my order',
];
/** Asked by everybody, each as the first words of a session: only the asker tells them apart. */
const PUBLIC = '返品はできますか';
const PERSONAL = '私の注文はいつ届きますか';

interface Heard {
  readonly customer: Customer;
  readonly question: string;
  readonly text: string;
  readonly sources: string;
  /** A model was asked for it. */
  readonly generated: boolean;
}

let stage: AnsweringStage;
let customers: readonly Customer[];
let shopCanaries: ReadonlyMap<string, string>;
const answers: Heard[] = [];

beforeAll(async () => {
  stage = await setAnsweringStage();
  const shops = [stage.tenant, `${stage.tenant}-b`];
  await stage.seed(shops[1] ?? '');
  await coalesce();
  shopCanaries = new Map(shops.map((tenantId) => [tenantId, `shopcanary${unheard()}`]));
  customers = shops.flatMap((tenantId) =>
    ['user-1', 'user-2'].map((userId) => ({ tenantId, userId, canary: `canary${unheard()}` })),
  );
  // A passage only one shop may see, planted among those that fit every question.
  for (const [at, tenantId] of shops.entries()) {
    await fetch(`${stage.opensearch.url}/catalogue/_doc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `planted-${at}`,
        tenant: tenantId,
        scope: 'public',
        kind: 'faq',
        intent: ['faq', 'order_status', 'recommendation', 'browsing', 'wishlist'],
        title: `送料と注文とおすすめ shop${at}canary`,
        title_en: `orders and shipping shop${at}canary`,
        text: '送料 注文 おすすめ order shipping',
        text_en: 'order shipping',
      }),
    });
  }
  for (const customer of customers) {
    const { tenantId, userId, canary } = customer;
    const session = await stage.newSession(userId, tenantId);
    // Said once, remembered in the session's turns.
    for (const text of [`私は ${canary} です。覚えておいて`, ...QUESTIONS]) {
      await hear(customer, session, text);
    }
    stage.bedrock.script({
      script: { name: 'ok', text: `はい。${shopCanaries.get(tenantId) ?? ''}` },
      when: { operation: 'ConverseStream', promptContains: PUBLIC },
    });
    stage.bedrock.script({
      script: { name: 'ok', text: `明日です。${canary}` },
      when: { operation: 'ConverseStream', promptContains: PERSONAL },
    });
    for (const text of [PUBLIC, PERSONAL]) {
      await hear(customer, await stage.newSession(userId, tenantId), text);
    }
    stage.bedrock.reset();
  }
}, 60_000);
afterAll(async () => {
  await stage.redis.del(mitigationFlags.key());
  await stage.close();
});

/** Public streams go through Redis, for other tasks to share. */
async function coalesce(): Promise<void> {
  const epoch = Date.now();
  const active = (['coalesce', 'extend_cache'] as const).map((mitigation) => ({
    mitigation,
    reason: 'test',
    sinceMs: 0,
  }));
  const flags = mitigationFlags.encode({ active, cacheSeconds: 300, epoch });
  await stage.redis.set(mitigationFlags.key(), flags, 'EX', 60);
  await eventually(() => stage.mitigations.now().epoch === epoch);
}

async function hear(customer: Customer, session: SessionRef, question: string): Promise<void> {
  const parts = await partsOf(stage.ask(session, question));
  const sources = JSON.stringify(parts.filter(({ type }) => type === 'sources'));
  const generated = parts.some(({ type }) => type === 'usage');
  answers.push({ customer, question, text: textOf(parts), sources, generated });
  await stage.answerer.idle();
}

/** What must not be where it is, by whose it is and where it was found. */
function strays(found: readonly { readonly owner: string; readonly text: string }[]): string[] {
  return found.flatMap(({ owner, text }) =>
    customers
      .filter(({ tenantId, userId }) => `${tenantId}/${userId}` !== owner)
      .filter(({ canary }) => text.includes(canary))
      .map(({ canary }) => `${canary} at ${owner}`),
  );
}

test('no answer holds what another customer said', () => {
  const found = answers.map(({ customer, text }) => ({
    owner: `${customer.tenantId}/${customer.userId}`,
    text,
  }));
  expect(strays(found)).toEqual([]);
});

test('the same first words are answered to each shop from its own cache, and personal ones to each customer alone', () => {
  const heardBy = (question: string) => answers.filter((heard) => heard.question === question);
  expect(heardBy(PUBLIC).map(({ text }) => text)).toEqual(
    customers.map(({ tenantId }) => `はい。${shopCanaries.get(tenantId) ?? ''}`),
  );
  // The second customer of a shop is told what the first was.
  expect(heardBy(PUBLIC).map(({ generated }) => generated)).toEqual([true, false, true, false]);
  expect(heardBy(PERSONAL).map(({ text }) => text)).toEqual(
    customers.map(({ canary }) => `明日です。${canary}`),
  );
});

test('no model is told of one customer what another said', async () => {
  const rows = await stage.pool.query<{ attempt_id: string; tenant_id: string; user_id: string }>({
    text: 'SELECT attempt_id, tenant_id, user_id FROM usage_attempts',
    values: [],
  });
  const owners = new Map(
    rows.map(({ attempt_id, tenant_id, user_id }) => [attempt_id, `${tenant_id}/${user_id}`]),
  );
  const prompts = stage.takePrompts().map(({ headers, body }) => ({
    owner: owners.get(String(headers['x-attempt-id'])) ?? 'nobody',
    text: JSON.stringify(body),
  }));
  // Each customer's own words do reach the model, with every later question of the session.
  for (const { tenantId, userId, canary } of customers) {
    const own = prompts.filter(({ owner }) => owner === `${tenantId}/${userId}`);
    expect(own.filter(({ text }) => text.includes(canary)).length).toBeGreaterThan(1);
  }
  expect(strays(prompts)).toEqual([]);
});

test('no shop is shown the passages of another', () => {
  expect(answers.some(({ sources }) => sources.includes('shop0canary'))).toBe(true);
  expect(answers.some(({ sources }) => sources.includes('shop1canary'))).toBe(true);
  for (const { customer, sources, text } of answers) {
    const others = customer.tenantId === stage.tenant ? 'shop1canary' : 'shop0canary';
    expect(sources + text).not.toContain(others);
  }
});

test('what is kept in Redis of a customer lies under their own name, of a shop under its own', async () => {
  const keys = await stage.redis.keys(`*${stage.tenant}*`);
  const kept = await Promise.all(keys.map(async (key) => ({ key, value: await contentOf(key) })));
  const holding = (canary: string) =>
    kept.filter(({ value }) => value.includes(canary)).map(({ key }) => key);

  for (const { tenantId, userId, canary } of customers) {
    const own = holding(canary);
    expect(own.some((key) => key.startsWith(`answer:user:${tenantId}:${userId}:`))).toBe(true);
    // Besides, only the turns of the session itself hold what was said.
    for (const key of own) {
      expect(key).toMatch(/^(?:answer:user:[^:]+:[^:]+|session:history:\{[^:]+):/);
      expect(key).toContain(`${tenantId}:`);
    }
  }
  for (const [tenantId, canary] of shopCanaries) {
    const own = holding(canary);
    expect(own.filter((key) => key.startsWith(`answer:public:${tenantId}:`))).toHaveLength(1);
    expect(own.filter((key) => key.startsWith(`answer:frames:{${tenantId}:`))).toHaveLength(1);
    for (const key of own) expect(key).toContain(`${tenantId}:`);
  }
});

async function contentOf(key: string): Promise<string> {
  const kind = await stage.redis.type(key);
  switch (kind) {
    case 'string':
      return (await stage.redis.get(key)) ?? '';
    case 'stream':
      return JSON.stringify(await stage.redis.xrange(key, '-', '+'));
    case 'hash':
      return JSON.stringify(await stage.redis.hgetall(key));
    // Gone since it was listed.
    case 'none':
      return '';
    default:
      throw new Error(`a ${kind} at ${key} cannot be scanned`);
  }
}

test('what is kept in the table lies in its own partition, with its own user', async () => {
  const { Items = [] } = await stage.dynamodb.send(new ScanCommand({ TableName: stage.table }));
  const found = Items.map((item) => ({
    owner: `${(item['session_key']?.S ?? '').split(':')[0]}/${item['user_id']?.S}`,
    text: JSON.stringify(item),
  }));
  expect(found.length).toBeGreaterThan(customers.length * QUESTIONS.length);
  for (const { tenantId, userId, canary } of customers) {
    const own = found.filter(({ owner }) => owner === `${tenantId}/${userId}`);
    expect(own.some(({ text }) => text.includes(canary))).toBe(true);
  }
  expect(strays(found)).toEqual([]);
});

test('neither logs nor metrics hold what anybody said', () => {
  const written = stage.written().join('\n');
  for (const { canary } of customers) expect(written).not.toContain(canary);
  for (const canary of shopCanaries.values()) expect(written).not.toContain(canary);
});

test('the answers to personal questions are made for each customer; public ones are shared in a shop', async () => {
  const keys = await stage.redis.keys(`answer:public:${stage.tenant}:*`);
  const entries = await Promise.all(keys.map((key) => stage.redis.get(key)));
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) {
    expect(entry).toContain('"userId":null');
    expect(entry).toContain(`"tenantId":"${stage.tenant}"`);
    expect(entry).not.toMatch(/"intent":"(?:order_status|wishlist|purchase|order_confirmation)"/);
  }
});
