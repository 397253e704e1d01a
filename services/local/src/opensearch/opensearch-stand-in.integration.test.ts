import { z } from 'zod';

import { embedText } from '../bedrock/core/embedding';
import { startOpenSearchStandIn } from './opensearch-stand-in';
import type { OpenSearchStandIn } from './opensearch-stand-in';
import { seedCatalogue } from './seed-catalogue';

const DIMENSIONS = 256;
const embed = (text: string) => Promise.resolve(embedText(text, DIMENSIONS));

let standIn: OpenSearchStandIn;

beforeAll(async () => {
  standIn = await startOpenSearchStandIn({ latencyMs: 0 });
  await seedCatalogue({ url: standIn.url, index: 'catalogue', tenant: 'east', embed });
  await seedCatalogue({ url: standIn.url, index: 'catalogue', tenant: 'west', embed });
});
afterEach(() => standIn.conduct.clear());
afterAll(() => standIn.close());

const answer = z.looseObject({});
const hitsAnswer = z.object({
  timed_out: z.boolean(),
  hits: z.object({
    total: z.object({ value: z.number() }),
    hits: z.array(
      z.object({
        _id: z.string(),
        _score: z.number(),
        _source: z.looseObject({ id: z.string(), tenant: z.string(), kind: z.string() }),
      }),
    ),
  }),
});

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${standIn.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : answer.parse(JSON.parse(text)) };
}

async function find(body: unknown, query = '') {
  const reply = await call('POST', `/catalogue/_search${query}`, body);
  return hitsAnswer.parse(reply.body).hits.hits;
}

const PIPELINE = {
  phase_results_processors: [
    {
      'normalization-processor': {
        normalization: { technique: 'min_max' },
        combination: { technique: 'arithmetic_mean', parameters: { weights: [0.4, 0.6] } },
      },
    },
  ],
};

async function ask(question: string, tenant: string, intent: string) {
  const filter = { bool: { filter: [{ term: { tenant } }, { term: { intent } }] } };
  const fields = ['title^3', 'title_en^3', 'author', 'author_en', 'tags', 'text', 'text_en'];
  return find(
    {
      size: 5,
      _source: { excludes: ['vector'] },
      query: {
        hybrid: {
          queries: [
            { bool: { must: [{ multi_match: { query: question, fields } }], filter: [filter] } },
            { knn: { vector: { vector: await embed(question), k: 20, filter } } },
          ],
        },
      },
    },
    '?search_pipeline=hybrid',
  );
}

describe('the seeded catalogue', () => {
  beforeAll(() => call('PUT', '/_search/pipeline/hybrid', PIPELINE));

  test.each([
    ['塩の海賊団の続きはある？', 'product_search', 'salt-pirates'],
    ['deep sea research station horror', 'recommendation', 'deep-lab-hadal'],
    ['送料はいくらですか', 'faq', 'shipping-fee'],
    ['Do you offer gift wrapping?', 'faq', 'gift-wrapping'],
    ['注文確認メールが届かない', 'order_confirmation', 'confirmation-mail'],
    ['penguin who delivers mail', 'recommendation', 'penguin-postman'],
  ])('%s (%s) finds %s first', async (question, intent, expected) => {
    const hits = await ask(question, 'east', intent);
    expect(hits[0]?._source.id).toBe(expected);
  });

  test('both works of an author are found by the name', async () => {
    const hits = await ask('霧島ソウヤの漫画を探しています', 'east', 'product_search');
    const ids = hits.map(({ _source }) => _source.id);
    expect(ids).toEqual(expect.arrayContaining(['lantern-courier', 'snow-train-zero']));
  });

  test('a tenant sees only its own documents, and never the vectors it excluded', async () => {
    for (const tenant of ['east', 'west', 'north']) {
      const hits = await ask('海賊 pirate', tenant, 'recommendation');
      expect(hits.map(({ _source }) => _source.tenant)).toEqual(hits.map(() => tenant));
      expect(hits).toHaveLength(tenant === 'north' ? 0 : 5);
      for (const { _source } of hits) expect(_source).not.toHaveProperty('vector');
    }
  });

  test('upcoming volumes are found by day', async () => {
    const reply = await call('POST', '/catalogue/_count', {
      query: {
        bool: {
          filter: [
            { term: { tenant: 'east' } },
            { range: { next_release_day: { gte: '2026-12-01', lte: '2026-12-31' } } },
          ],
        },
      },
    });
    expect(reply.body['count']).toBeGreaterThan(20);
  });

  test('the ranking is a sort', async () => {
    const reply = await call('POST', '/catalogue/_search', {
      size: 3,
      query: { bool: { filter: [{ term: { tenant: 'east' } }, { term: { kind: 'title' } }] } },
      sort: [{ popularity_rank: 'asc' }],
      _source: ['popularity_rank'],
    });
    expect(reply.body).toMatchObject({
      hits: { hits: [1, 2, 3].map((rank) => ({ sort: [rank], _score: null })) },
    });
  });

  test('seeding again changes nothing', async () => {
    const before = await call('POST', '/catalogue/_count', {});
    await seedCatalogue({ url: standIn.url, index: 'catalogue', tenant: 'east', embed });
    expect(await call('POST', '/catalogue/_count', {})).toEqual(before);
  });
});

test('documents are written, read, changed and deleted', async () => {
  expect((await call('PUT', '/notes/_doc/1', { title: '猫' })).status).toBe(201);
  expect((await call('PUT', '/notes/_doc/1', { title: '犬' })).body).toMatchObject({
    result: 'updated',
    _version: 2,
  });
  expect((await call('PUT', '/notes/_create/1', {})).status).toBe(409);
  expect((await call('POST', '/notes/_update/1', { doc: { n: 1 } })).status).toBe(200);
  expect((await call('GET', '/notes/_doc/1')).body).toMatchObject({
    found: true,
    _source: { title: '犬', n: 1 },
  });
  expect((await call('GET', '/notes/_mapping')).body).toMatchObject({
    notes: { mappings: { properties: { title: { type: 'text' }, n: { type: 'long' } } } },
  });
  expect((await call('DELETE', '/notes/_doc/1')).body).toMatchObject({ result: 'deleted' });
  expect((await call('GET', '/notes/_doc/1')).status).toBe(404);
  expect((await call('DELETE', '/notes')).status).toBe(200);
  expect((await call('HEAD', '/notes')).status).toBe(404);
});

test('what a query finds can be deleted, vectors and all', async () => {
  await call('PUT', '/scratch', { mappings: { properties: { owner: { type: 'keyword' } } } });
  for (const owner of ['a', 'a', 'b']) await call('POST', '/scratch/_doc', { owner });
  const query = { term: { owner: 'a' } };
  expect((await call('POST', '/scratch/_delete_by_query', { query })).body).toMatchObject({
    deleted: 2,
  });
  expect((await call('GET', '/scratch/_count')).body).toMatchObject({ count: 1 });
});

test.each([
  ['GET', '/nowhere/_search', {}, 404, 'index_not_found_exception'],
  ['POST', '/catalogue/_search', { query: { wildcard: {} } }, 400, 'parsing_exception'],
  ['POST', '/catalogue/_search?search_pipeline=none', {}, 400, 'illegal_argument_exception'],
  ['PUT', '/catalogue', {}, 400, 'resource_already_exists_exception'],
  ['PUT', '/Catalogue', {}, 400, 'invalid_index_name_exception'],
  ['POST', '/catalogue/_reindex', {}, 400, 'illegal_argument_exception'],
  ['GET', '/_cat/indices', undefined, 400, 'illegal_argument_exception'],
])('%s %s is refused in the words of OpenSearch', async (method, path, body, status, type) => {
  const reply = await call(method, path, method === 'GET' ? undefined : body);
  expect(reply).toMatchObject({
    status,
    body: { status, error: { type, root_cause: [{ type }] } },
  });
});

test('the cluster says that it is well', async () => {
  expect((await call('GET', '/_cluster/health')).body).toMatchObject({ status: 'green' });
  expect((await call('GET', '/')).body).toMatchObject({ version: { distribution: 'opensearch' } });
});

describe('signatures', () => {
  const signed = (service: string) => ({
    'x-amz-date': '20261118T000000Z',
    authorization:
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/ap-northeast-1/${service}/aws4_request, ` +
      `SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${'ab'.repeat(32)}`,
  });
  const hash = { 'x-amz-content-sha256': 'e3b0'.repeat(16) };

  test.each([
    ['a collection, with the hash of the body', { ...signed('aoss'), ...hash }, 200],
    ['a collection, without it', signed('aoss'), 403],
    ['a domain', signed('es'), 200],
    ['another service', { ...signed('s3'), ...hash }, 403],
  ])('signed for %s', async (_, headers, status) => {
    expect((await call('GET', '/', undefined, headers)).status).toBe(status);
  });
});

describe('misbehaviour', () => {
  const search = () => call('POST', '/catalogue/_search', { size: 1 });

  test.each([
    ['too-many-requests', 429],
    ['internal-error', 500],
    ['unavailable', 503],
  ])('told to %s, it answers %i', async (script, status) => {
    standIn.conduct.inject(script);
    expect(await search()).toMatchObject({ status, body: { status } });
    expect((await search()).status).toBe(200);
  });

  test('a search can run out of time with nothing found yet', async () => {
    standIn.conduct.inject('timed-out');
    expect((await search()).body).toMatchObject({ timed_out: true, hits: { hits: [] } });
  });

  test.each([['invalid-json'], ['bad-gateway-html']])('%s is not JSON', async (script) => {
    standIn.conduct.inject(script);
    await expect(search()).rejects.toThrow(SyntaxError);
  });

  test('a hanging cluster is left by the caller, a cut connection ends the call', async () => {
    const url = `${standIn.url}/catalogue/_search`;
    await expect(
      fetch(url, { headers: { 'x-standin-script': 'hang' }, signal: AbortSignal.timeout(30) }),
    ).rejects.toThrow(/aborted/);
    await expect(fetch(url, { headers: { 'x-standin-script': 'reset' } })).rejects.toThrow(/fetch/);
  });

  test('conduct is steered over HTTP', async () => {
    await call('POST', '/_standin/conduct', { failureRate: 1 });
    expect((await search()).status).toBe(503);
    await call('DELETE', '/_standin');
    expect((await search()).status).toBe(200);
  });
});

test('a vector collection refuses what a serverless one refuses, and can still be seeded', async () => {
  const collection = await startOpenSearchStandIn({ kind: 'vector-collection', latencyMs: 0 });
  const { url } = collection;
  const count = await seedCatalogue({
    url,
    index: 'c',
    tenant: 'east',
    embed,
    kind: 'vector-collection',
  });

  expect(await (await fetch(`${url}/c/_count`)).json()).toMatchObject({ count });
  expect((await fetch(`${url}/c/_refresh`, { method: 'POST' })).ok).toBe(false);
  expect((await fetch(`${url}/_cluster/health`)).ok).toBe(false);
  const put = await fetch(`${url}/c/_doc/1`, { method: 'PUT', body: '{}' });
  expect(await put.text()).toContain('Document ID is not supported');
  await collection.close();
});
