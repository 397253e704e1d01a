import { parseMapping } from './mapping';
import { search } from './search';
import { SearchError, errorBody } from './search-error';
import { searchIndex } from './search-index';
import { parsePipeline } from './search-pipeline';
import { parseSearchRequest } from './search-request';

const index = searchIndex(
  'manga',
  parseMapping({
    properties: {
      title: { type: 'text' },
      price: { type: 'integer' },
      vector: { type: 'knn_vector', dimension: 2 },
      old: { type: 'knn_vector', dimension: 2, method: { engine: 'nmslib' } },
    },
  }),
);

function refusalOf(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    return `${error.status} ${error.type}: ${error.message}`;
  }
}

const asking = (body: unknown): string =>
  refusalOf(() => search(index, parseSearchRequest(body), { nowMs: 0 }));

const sevenNearest = { vector: [1, 0], k: 7 };

test.each([
  [{ fuzzy: { title: 'x' } }, /^400 parsing_exception: unknown query \[fuzzy\]$/],
  [{ bool: { must: { foo: {} } } }, /parsing_exception: unknown query \[foo\]/],
  [{ toString: {} }, /parsing_exception: unknown query \[toString\]/],
  [{}, /illegal_argument_exception: query malformed, empty clause found/],
  [{ match_all: {}, term: {} }, /parsing_exception: .*expected \[END_OBJECT\].*\[term\]/],
  ['title:x', /parsing_exception: .*must start with start_object/],
  [{ bool: { musst: [] } }, /parsing_exception: \[bool\] query does not support \[musst\]/],
  [{ match: { title: { query: 'x', fuzziness: 2 } } }, /\[match\] query does not support \[fuzz/],
  [{ match: { title: 'x', text: 'y' } }, /\[match\] query doesn't support multiple fields/],
  [
    { multi_match: { query: 'x', fields: ['title^high'] } },
    /cannot read the field \[title\^high\]/,
  ],
  [{ terms: { title: 'x' } }, /\[terms\] is malformed/],
  [{ range: { price: { from: 1 } } }, /\[range\] query does not support \[from\]/],
  [{ term: { price: 'cheap' } }, /query_shard_exception: .*cannot read \[cheap\]/],
  [
    { knn: { vector: { vector: [1, 2, 3], k: 1 } } },
    /invalid dimension: 3. Dimension should be: 2/,
  ],
  [{ knn: { vector: { vector: [1, 2], k: 0 } } }, /\[knn\] is malformed at \[k\]/],
  [{ knn: { title: sevenNearest } }, /Field 'title' is not knn_vector type/],
  [
    { knn: { old: { ...sevenNearest, filter: { match_all: {} } } } },
    /illegal_argument_exception: Engine \[nmslib\] does not support filters/,
  ],
  [{ bool: { must: [{ hybrid: { queries: [] } }] } }, /hybrid query must be a top level query/],
  [{ hybrid: { queries: Array.from({ length: 6 }, () => ({ match_all: {} })) } }, /at most 5/],
  [{ hybrid: { queries: [{ match_all: {} }] } }, /hybrid query needs a search pipeline/],
])('the query %j is refused', (query, refusal) => {
  expect(asking({ query })).toMatch(refusal);
});

test.each([
  [{ aggs: {} }, /parsing_exception: Unknown key \[aggs\]/],
  [{ size: -1 }, /illegal_argument_exception: \[size\] parameter cannot be negative/],
  [{ from: 9_995, size: 6 }, /Result window is too large/],
  [{ size: 'ten' }, /parsing_exception: Failed to parse \[size\]/],
])('the request %j is refused', (body, refusal) => {
  expect(asking(body)).toMatch(refusal);
});

test('only what has an order can be sorted by', () => {
  index.put('1', { title: 'x', price: 1 });
  expect(asking({ sort: 'title' })).toMatch(/Fields of type \[text\] cannot be sorted on/);
  expect(asking({ sort: 'weight' })).toMatch(/No mapping found for \[weight\]/);
  expect(asking({ sort: ['_score', { price: 'desc' }] })).toBe('accepted');
});

const pipeline = (weights: unknown, technique = 'min_max') => ({
  phase_results_processors: [
    {
      'normalization-processor': {
        normalization: { technique },
        combination: { technique: 'arithmetic_mean', parameters: { weights } },
      },
    },
  ],
});

test.each([
  [pipeline([0.5, 0.6]), /sum of weights .* must be equal to 1.0/],
  [pipeline([1.5, -0.5]), /all weights must be in range/],
  [pipeline('heavy'), /weights/],
  [pipeline([1], 'z_score'), /technique/],
  [{ request_processors: [] }, /normalization-processor/],
])('the pipeline %j is refused', (body, refusal) => {
  expect(refusalOf(() => parsePipeline(body))).toMatch(refusal);
});

test('as many weights as queries are needed', () => {
  const body = { query: { hybrid: { queries: [{ match_all: {} }] } } };
  const parsed = parsePipeline(pipeline([0.5, 0.5]));
  expect(
    refusalOf(() => search(index, parseSearchRequest(body), { nowMs: 0, pipeline: parsed })),
  ).toMatch(/number of weights \[2\] must match number of sub-queries \[1\]/);
});

test.each([
  [{ properties: { a: { type: 'geo_point' } } }, /No handler for type \[geo_point\].*\[a\]/],
  [{ properties: { a: { type: 'knn_vector' } } }, /\[a.dimension\]/],
  [{ properties: { a: 'text' } }, /mapper_parsing_exception.*\[a\]/],
])('the mapping %j is refused', (body, refusal) => {
  expect(refusalOf(() => parseMapping(body))).toMatch(refusal);
});

test('a strict mapping refuses fields it does not know', () => {
  const strict = searchIndex('s', parseMapping({ dynamic: 'strict', properties: {} }));
  expect(refusalOf(() => strict.put('1', { a: { b: 1 } }))).toMatch(
    /strict_dynamic_mapping_exception: .*\[a.b\]/,
  );
});

test('an error carries its cause twice, as OpenSearch writes it', () => {
  const cause = { type: 'parsing_exception', reason: 'unknown query [x]' };
  expect(errorBody(new SearchError(cause.type, cause.reason))).toEqual({
    error: { root_cause: [cause], ...cause },
    status: 400,
  });
});
