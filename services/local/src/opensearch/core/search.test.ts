import fc from 'fast-check';

import { parseMapping } from './mapping';
import { parseQuery } from './parse-query';
import { search } from './search';
import type { Hits } from './search';
import type { JsonObject } from './search-error';
import { searchIndex } from './search-index';
import type { SearchIndex } from './search-index';
import { parsePipeline } from './search-pipeline';
import { parseSearchRequest } from './search-request';

const NOW_MS = Date.parse('2026-11-18T00:00:00Z');

const MAPPING = parseMapping({
  properties: {
    tenant: { type: 'keyword' },
    text: { type: 'text' },
    tags: { type: 'keyword' },
    price: { type: 'integer' },
    day: { type: 'date' },
    vector: {
      type: 'knn_vector',
      dimension: 3,
      method: { name: 'hnsw', engine: 'faiss', space_type: 'cosinesimil' },
    },
  },
});

interface Doc {
  tenant: string;
  text: string;
  tags: string[];
  price?: number;
  day?: string;
  vector: number[];
}

const WORDS = ['猫', '海賊', '灯り', 'dragon', 'night', 'courier'];
const TENANTS = ['a', 'b', 'c'];
const TAGS = ['料理', 'sports', '夜'];

const doc = fc.record(
  {
    tenant: fc.constantFrom(...TENANTS),
    text: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' ')),
    tags: fc.subarray(TAGS),
    price: fc.integer({ min: 1, max: 9 }),
    day: fc.constantFrom('2026-11-01', '2026-11-18', '2026-12-24'),
    vector: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 }),
  },
  { requiredKeys: ['tenant', 'text', 'tags', 'vector'] },
);
const docs = fc.array(doc, { maxLength: 25 });

function indexOf(documents: readonly Doc[]): SearchIndex {
  const index = searchIndex('manga', MAPPING);
  documents.forEach((document, id) => index.put(String(id), { ...document }));
  return index;
}

function run(index: SearchIndex, body: JsonObject): Hits {
  const pipeline = parsePipeline({
    phase_results_processors: [{ 'normalization-processor': {} }],
  });
  return search(index, parseSearchRequest({ size: 100, ...body }), { pipeline, nowMs: NOW_MS });
}

const idsOf = ({ hits }: Hits): number[] => hits.map(({ _id }) => Number(_id));
const inOrder = (ids: number[]): number[] => [...ids].sort((a, b) => a - b);

/** A query beside the plain meaning it must have. */
interface Filter {
  readonly query: JsonObject;
  readonly holds: (document: Doc) => boolean;
}

const leafFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...TENANTS).map((tenant) => ({
    query: { term: { tenant } },
    holds: (document: Doc) => document.tenant === tenant,
  })),
  fc.subarray(TAGS).map((tags) => ({
    query: { terms: { tags } },
    holds: (document: Doc) => document.tags.some((tag) => tags.includes(tag)),
  })),
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })).map(([gte, lt]) => ({
    query: { range: { price: { gte, lt } } },
    holds: ({ price }: Doc) => price !== undefined && price >= gte && price < lt,
  })),
  fc.constant({
    query: { range: { day: { gt: 'now-1d' } } },
    holds: ({ day }: Doc) => day === '2026-11-18' || day === '2026-12-24',
  }),
  fc.constantFrom('price', 'day', 'tags').map((field) => ({
    query: { exists: { field } },
    holds: (document: Doc) => (field === 'tags' ? document.tags.length > 0 : field in document),
  })),
  fc.constantFrom(...WORDS).map((word) => ({
    query: { match: { text: word } },
    holds: (document: Doc) => document.text.split(' ').includes(word),
  })),
);

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leafFilter,
    fc
      .record({
        must: fc.array(tie('filter'), { maxLength: 2 }),
        filter: fc.array(tie('filter'), { maxLength: 2 }),
        should: fc.array(tie('filter'), { maxLength: 2 }),
        mustNot: fc.array(tie('filter'), { maxLength: 2 }),
      })
      .map(({ must, filter, should, mustNot }) => ({
        query: {
          bool: {
            must: must.map(({ query }) => query),
            filter: filter.map(({ query }) => query),
            should: should.map(({ query }) => query),
            must_not: mustNot.map(({ query }) => query),
          },
        },
        holds: (document: Doc) =>
          [...must, ...filter].every(({ holds }) => holds(document)) &&
          !mustNot.some(({ holds }) => holds(document)) &&
          (must.length + filter.length > 0 ||
            should.length === 0 ||
            should.some(({ holds }) => holds(document))),
      })),
  ),
}));

function cosineScore(a: readonly number[], b: readonly number[]): number {
  const length = (v: readonly number[]) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  const dot = a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
  const lengths = length(a) * length(b);
  return (1 + (lengths === 0 ? 0 : dot / lengths)) / 2;
}

describe('filters', () => {
  test('a query finds exactly the documents that satisfy it', () => {
    fc.assert(
      fc.property(docs, filter, (documents, { query, holds }) => {
        const expected = documents.flatMap((document, id) => (holds(document) ? [id] : []));
        const hits = run(indexOf(documents), { query });
        expect(inOrder(idsOf(hits))).toEqual(expected);
        expect(hits.total?.value).toBe(expected.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('nearest neighbours', () => {
  const vector = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 });

  test('are those of a brute-force search among the documents that pass the filter', () => {
    fc.assert(
      fc.property(
        docs,
        vector,
        fc.integer({ min: 1, max: 8 }),
        filter,
        (documents, wanted, k, { query, holds }) => {
          const hits = run(indexOf(documents), {
            query: { knn: { vector: { vector: wanted, k, filter: query } } },
          });
          const expected = documents
            .flatMap((document) => (holds(document) ? [cosineScore(wanted, document.vector)] : []))
            .sort((a, b) => b - a)
            .slice(0, k);

          expect(hits.hits.map(({ _score }) => _score ?? NaN)).toHaveLength(expected.length);
          hits.hits.forEach(({ _score, _id }, rank) => {
            expect(_score).toBeCloseTo(expected[rank] ?? NaN, 9);
            expect(holds(documents[Number(_id)] ?? fail())).toBe(true);
          });
        },
      ),
      { numRuns: 120 },
    );
  });

  test('a filter inside finds k of the tenant, one around only thins out the k', () => {
    const crowd: Doc[] = Array.from({ length: 20 }, (_, i) => ({
      tenant: i < 17 ? 'a' : 'b',
      text: '',
      tags: [],
      vector: [1, i / 100, 0],
    }));
    const index = indexOf(crowd);
    const knn = { vector: [1, 0, 0], k: 3 };
    const tenant = { term: { tenant: 'b' } };

    const inside = run(index, { query: { knn: { vector: { ...knn, filter: tenant } } } });
    const around = run(index, {
      query: { bool: { must: [{ knn: { vector: knn } }], filter: [tenant] } },
    });
    expect(idsOf(inside)).toEqual([17, 18, 19]);
    expect(idsOf(around)).toEqual([]);
  });
});

describe('hybrid queries', () => {
  const hybrid = (words: string, vector: number[], tenant: string): JsonObject => ({
    hybrid: {
      queries: [
        { bool: { must: [{ match: { text: words } }], filter: [{ term: { tenant } }] } },
        { knn: { vector: { vector, k: 10, filter: { term: { tenant } } } } },
      ],
    },
  });

  test('never show a document of another tenant, and score within (0, 1]', () => {
    fc.assert(
      fc.property(
        docs,
        fc.constantFrom(...WORDS),
        fc.constantFrom(...TENANTS),
        (documents, word, tenant) => {
          const { hits } = run(indexOf(documents), { query: hybrid(word, [1, 2, 3], tenant) });
          for (const { _id, _score } of hits) {
            expect(documents[Number(_id)]?.tenant).toBe(tenant);
            expect(_score).toBeGreaterThan(0);
            expect(_score).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  test('a filter for the whole does what the same filter in each query does', () => {
    fc.assert(
      fc.property(docs, fc.constantFrom(...WORDS), (documents, word) => {
        const index = indexOf(documents);
        const whole = run(index, {
          query: {
            hybrid: {
              queries: [
                { match: { text: word } },
                { knn: { vector: { vector: [1, 2, 3], k: 10 } } },
              ],
              filter: { term: { tenant: 'a' } },
            },
          },
        });
        expect(whole).toEqual(run(index, { query: hybrid(word, [1, 2, 3], 'a') }));
      }),
    );
  });

  test('a document found by both queries beats those found by one', () => {
    const index = indexOf([
      { tenant: 'a', text: '海賊', tags: [], vector: [-1, 0, 0] },
      { tenant: 'a', text: '海賊 海賊', tags: [], vector: [1, 0, 0] },
      { tenant: 'a', text: 'dragon', tags: [], vector: [1, 0.1, 0] },
    ]);
    expect(idsOf(run(index, { query: hybrid('海賊', [1, 0, 0], 'a') }))[0]).toBe(1);
  });
});

describe('the index', () => {
  type Step = { put: number; document: Doc } | { remove: number };
  const id = fc.integer({ min: 0, max: 6 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ put: id, document: doc }),
    fc.record({ remove: id }),
  );

  test('after any history answers as if only the last documents had ever been written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), filter, (history, { query }) => {
        const lived = searchIndex('manga', MAPPING);
        const last = new Map<string, Doc>();
        for (const each of history) {
          if ('put' in each) {
            lived.put(String(each.put), { ...each.document });
            last.set(String(each.put), each.document);
          } else {
            expect(lived.remove(String(each.remove))).toBe(last.delete(String(each.remove)));
          }
        }
        const fresh = searchIndex('manga', MAPPING);
        for (const [key, document] of last) fresh.put(key, { ...document });

        const scores = (index: SearchIndex) =>
          new Map(run(index, { query }).hits.map(({ _id, _score }) => [_id, _score?.toFixed(9)]));
        expect(scores(lived)).toEqual(scores(fresh));
      }),
      { numRuns: 120 },
    );
  });

  test('a document the mapping refuses changes nothing', () => {
    const index = indexOf([{ tenant: 'a', text: '猫', tags: [], vector: [1, 0, 0] }]);
    expect(() => index.put('0', { tenant: 'b', vector: [1, 0] })).toThrow(/Expected: 3, Given: 2/);
    expect(() => index.put('1', { price: 'cheap' })).toThrow(/failed to parse field \[price\]/);
    expect(idsOf(run(index, { query: { term: { tenant: 'a' } } }))).toEqual([0]);
    expect(index.documents.size).toBe(1);
  });
});

describe('pages and order', () => {
  test('pages laid end to end are the whole', () => {
    fc.assert(
      fc.property(docs, fc.integer({ min: 1, max: 7 }), (documents, size) => {
        const index = indexOf(documents);
        const query = { match: { text: WORDS.join(' ') } };
        const whole = idsOf(run(index, { query }));
        const pages = Array.from({ length: Math.ceil(whole.length / size) }, (_, page) =>
          idsOf(run(index, { query, size, from: page * size })),
        );
        expect(pages.flat()).toEqual(whole);
      }),
    );
  });

  test('scores fall from hit to hit, and the first is the maximum', () => {
    fc.assert(
      fc.property(docs, fc.subarray(WORDS, { minLength: 1 }), (documents, words) => {
        const hits = run(indexOf(documents), { query: { match: { text: words.join(' ') } } });
        const scores = hits.hits.map(({ _score }) => _score ?? NaN);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(hits.max_score).toBe(scores[0] ?? null);
      }),
    );
  });

  test('sorted by a field, documents without it come last', () => {
    fc.assert(
      fc.property(docs, fc.constantFrom('asc', 'desc'), (documents, order) => {
        const { hits } = run(indexOf(documents), { sort: [{ price: { order } }] });
        const prices = hits.map(({ sort }) => sort?.[0] ?? null);
        const known = prices.filter((price) => typeof price === 'number');
        expect(prices.slice(0, known.length)).toEqual(known);
        expect(known).toEqual([...known].sort((a, b) => (order === 'asc' ? a - b : b - a)));
      }),
    );
  });
});

test('every query kind can be given a boost that multiplies its scores', () => {
  const index = indexOf([
    { tenant: 'a', text: '猫 dragon', tags: ['夜'], price: 3, vector: [1, 2, 0] },
  ]);
  const queries: JsonObject[] = [
    { match_all: { boost: 3 } },
    { term: { tenant: { value: 'a', boost: 3 } } },
    { terms: { tags: ['夜'], boost: 3 } },
    { range: { price: { gte: 1, boost: 3 } } },
    { exists: { field: 'price', boost: 3 } },
    { match: { text: { query: '猫', boost: 3 } } },
    { multi_match: { query: '猫', fields: ['text'], boost: 3 } },
    { multi_match: { query: '猫', fields: ['text^3'] } },
    { bool: { must: [{ match: { text: '猫' } }], boost: 3 } },
    { knn: { vector: { vector: [1, 1, 1], k: 1, boost: 3 } } },
  ];
  for (const query of queries) {
    const plain = JSON.parse(
      JSON.stringify(query)
        .replace(/,?"boost":3/, '')
        .replace('^3', ''),
    ) as JsonObject;
    const boosted = run(index, { query }).max_score ?? NaN;
    expect([query, boosted / (run(index, { query: plain }).max_score ?? NaN)]).toEqual([
      query,
      expect.closeTo(3, 9) as number,
    ]);
    expect(parseQuery(query).boost).toBeGreaterThan(0);
  }
});

function fail(): never {
  throw new Error('no such document');
}
