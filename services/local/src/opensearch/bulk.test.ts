import { parseBulk, runBulk } from './bulk';
import type { Cluster } from './cluster';

function emptyCluster(kind: Cluster['kind'] = 'domain'): Cluster {
  let ids = 0;
  return {
    kind,
    indices: new Map(),
    pipelines: new Map(),
    nowMs: () => 0,
    newId: () => `made-${(ids += 1)}`,
  };
}

const ndjson = (...lines: unknown[]): string => lines.map((l) => `${JSON.stringify(l)}\n`).join('');
const load = (cluster: Cluster, ...lines: unknown[]) =>
  runBulk(cluster, parseBulk(ndjson(...lines), 'manga'));
const sources = (cluster: Cluster) =>
  Object.fromEntries(
    [...(cluster.indices.get('manga')?.index.documents ?? [])].map(([id, { source }]) => [
      id,
      source,
    ]),
  );

test('actions are applied in order', () => {
  const cluster = emptyCluster();
  const result = load(
    cluster,
    { index: { _id: '1' } },
    { title: '猫' },
    { index: {} },
    { title: '犬' },
    { update: { _id: '1' } },
    { doc: { price: 5 } },
    { create: { _id: '2' } },
    { title: '鳥' },
    { delete: { _id: '2' } },
  );
  expect(result.errors).toBe(false);
  expect(sources(cluster)).toEqual({ '1': { title: '猫', price: 5 }, 'made-1': { title: '犬' } });
});

test('a failing item is told in its place and stops nothing', () => {
  const cluster = emptyCluster();
  const result = load(
    cluster,
    { index: { _id: '1' } },
    { price: 5 },
    { index: { _id: '2' } },
    { price: 'cheap' },
    { create: { _id: '1' } },
    { price: 6 },
    { update: { _id: '9' } },
    { doc: {} },
    { delete: { _id: '9' } },
    { index: { _id: '3' } },
    { price: 7 },
  );
  expect(result.errors).toBe(true);
  expect(result.items.flatMap((item) => Object.values(item).map(({ status }) => status))).toEqual([
    201, 400, 409, 404, 404, 201,
  ]);
  expect(Object.keys(sources(cluster))).toEqual(['1', '3']);
});

test('a vector collection gives ids itself', () => {
  const cluster = emptyCluster('vector-collection');
  const result = load(cluster, { index: { _id: 'mine' } }, { a: 1 }, { index: {} }, { a: 2 });
  expect(result.items[0]?.['index']).toMatchObject({
    status: 400,
    error: { reason: 'Document ID is not supported in create/index operation request' },
  });
  expect(sources(cluster)).toEqual({ 'made-1': { a: 2 } });
});

test.each([
  ['no last newline', '{"delete":{"_id":"1"}}', /terminated by a newline/],
  ['an unknown action', ndjson({ upsert: {} }, {}), /action\/metadata line \[1\]/],
  ['a document that is none', ndjson({ index: {} }) + '[1]\n', /document on line \[2\]/],
  ['a missing document', ndjson({ index: {} }), /document on line \[2\]/],
  ['a delete without an id', ndjson({ delete: {} }), /\[delete\] needs an _id/],
])('%s is refused as a whole', (_, body, refusal) => {
  expect(() => parseBulk(body, 'manga')).toThrow(refusal);
});

test('without an index in the path, each action must name one', () => {
  expect(() => parseBulk(ndjson({ index: {} }, {}))).toThrow(/index is missing/);
  expect(parseBulk(ndjson({ index: { _index: 'a' } }, {}))[0]?.index).toBe('a');
});
