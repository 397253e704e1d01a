import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { partsOf, setAnsweringStage, textOf, unheard, type AnsweringStage } from './test/stage';

/** Two shops, two customers each, the same questions; every customer has a secret of their own. */
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

let stage: AnsweringStage;
let customers: readonly Customer[];
const answers: { readonly customer: Customer; readonly text: string; readonly sources: string }[] =
  [];

beforeAll(async () => {
  stage = await setAnsweringStage();
  const shops = [stage.tenant, `${stage.tenant}-b`];
  await stage.seed(shops[1] ?? '');
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
    const session = await stage.newSession(customer.userId, customer.tenantId);
    // Said once, remembered in the session's turns.
    const said = [`私は ${customer.canary} です。覚えておいて`, ...QUESTIONS];
    // The first words of a session have no personal context to begin with.
    const another = await stage.newSession(customer.userId, customer.tenantId);
    const asked = [
      ...said.map((text) => ({ on: session, text })),
      { on: another, text: '返品はできますか' },
    ];
    for (const { on, text } of asked) {
      const parts = await partsOf(stage.ask(on, text));
      const sources = JSON.stringify(parts.filter(({ type }) => type === 'sources'));
      answers.push({ customer, text: textOf(parts), sources });
      await stage.answerer.idle();
    }
  }
}, 60_000);
afterAll(() => stage.close());

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

test('what is kept in Redis of a customer lies under their own name', async () => {
  const keys = await stage.redis.keys(`*${stage.tenant}*`);
  const kept = await Promise.all(
    keys.map(async (key) => ({ key, value: (await stage.redis.get(key).catch(() => '')) ?? '' })),
  );
  expect(kept.some(({ key }) => key.startsWith('answer:public:'))).toBe(true);
  expect(kept.some(({ key }) => key.startsWith('answer:user:'))).toBe(true);
  for (const { key, value } of kept) {
    const holders = customers.filter(({ canary }) => value.includes(canary));
    for (const { tenantId } of holders) {
      expect(key.includes(`${tenantId}:`)).toBe(true);
      // Only the turns of the session itself hold what was said.
      expect(key.startsWith('session:history:')).toBe(true);
    }
    if (key.startsWith('answer:public:')) expect(holders).toEqual([]);
  }
});

test('what is kept in the table lies in its own partition, with its own user', async () => {
  const { Items = [] } = await stage.dynamodb.send(new ScanCommand({ TableName: stage.table }));
  const found = Items.map((item) => ({
    owner: `${(item['session_key']?.S ?? '').split(':')[0]}/${item['user_id']?.S}`,
    text: JSON.stringify(item),
  }));
  expect(found.length).toBeGreaterThan(customers.length * QUESTIONS.length);
  expect(strays(found)).toEqual([]);
});

test('neither logs nor metrics hold what anybody said', () => {
  const written = stage.written().join('\n');
  for (const { canary } of customers) expect(written).not.toContain(canary);
});

test('the answers to personal questions are made for each customer; public ones are shared in a shop', async () => {
  const keys = await stage.redis.keys(`answer:public:${stage.tenant}:*`);
  const entries = await Promise.all(keys.map((key) => stage.redis.get(key)));
  for (const entry of entries) {
    expect(entry).toContain('"userId":null');
    expect(entry).toContain(`"tenantId":"${stage.tenant}"`);
    expect(entry).not.toMatch(/"intent":"(?:order_status|wishlist|purchase|order_confirmation)"/);
  }
});
