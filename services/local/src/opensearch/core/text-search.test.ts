import { parseMapping } from './mapping';
import { search } from './search';
import type { JsonObject } from './search-error';
import { searchIndex } from './search-index';
import { parseSearchRequest } from './search-request';

const index = searchIndex('manga', parseMapping({ properties: { tags: { type: 'keyword' } } }));
index.put('pirates', { title: '塩の海賊団', title_en: 'The Salt Pirates', tags: ['海賊', '船'] });
index.put('bath', {
  title: 'おふろ海賊ザブーン',
  title_en: 'Zaboon the Bathtub Pirate',
  tags: ['海賊'],
});
index.put('moss', {
  title: '苔の騎士',
  title_en: 'The Moss Knight',
  facts: { price: 572, weekly: true },
});

const find = (body: JsonObject) =>
  search(index, parseSearchRequest(body), { nowMs: 0 }).hits.map(({ _id }) => _id);

test.each([
  ['one Japanese word', { match: { title: '海賊' } }, ['pirates', 'bath']],
  ['a whole question', { match: { title: '苔むした騎士の漫画' } }, ['moss']],
  ['full-width capitals', { match: { title_en: 'ＭＯＳＳ' } }, ['moss']],
  ['any of the words', { match: { title_en: 'salt knight' } }, ['pirates', 'moss']],
  [
    'all of the words',
    { match: { title_en: { query: 'the pirates', operator: 'AND' } } },
    ['pirates'],
  ],
  [
    'enough of the words',
    { match: { title_en: { query: 'salt pirates cave', minimum_should_match: '60%' } } },
    ['pirates'],
  ],
  [
    'the best of several fields',
    { multi_match: { query: 'Moss 苔', fields: ['title^2', 'title_en'] } },
    ['moss'],
  ],
  ['fields by pattern', { multi_match: { query: 'zaboon', fields: ['title*'] } }, ['bath']],
  ['a keyword, exactly', { term: { tags: '船' } }, ['pirates']],
  ['not part of a keyword', { term: { tags: '海' } }, []],
  ['the exact title, by its dynamic keyword', { term: { 'title.keyword': '苔の騎士' } }, ['moss']],
  ['a number inside an object', { range: { 'facts.price': { lt: 600 } } }, ['moss']],
  ['an object that is there', { exists: { field: 'facts' } }, ['moss']],
  ['a yes', { term: { 'facts.weekly': true } }, ['moss']],
  ['a field nobody has', { match: { subtitle: 'x' } }, []],
  ['nothing', { match_none: {} }, []],
] as const)('finds %s', (_, query, expected) => {
  expect(find({ query })).toEqual(expected);
});

test.each([
  [['title_en'], { title_en: 'The Moss Knight' }],
  ['facts.*', { facts: { price: 572, weekly: true } }],
  [{ excludes: ['title*', 'facts.weekly'] }, { facts: { price: 572 } }],
  [
    { includes: ['facts', 'title'], excludes: ['*.price'] },
    { title: '苔の騎士', facts: { weekly: true } },
  ],
])('of the source %j is sent', (filter, expected) => {
  const body = { query: { term: { 'title.keyword': '苔の騎士' } }, _source: filter };
  const [hit] = search(index, parseSearchRequest(body), { nowMs: 0 }).hits;
  expect(hit?._source).toEqual(expected);
});

test('a source that was not asked for is not sent', () => {
  const { hits } = search(index, parseSearchRequest({ _source: false }), { nowMs: 0 });
  expect(hits.every((hit) => !('_source' in hit))).toBe(true);
});

test('most_fields adds what best_fields compares', () => {
  const scoreOf = (type: string) =>
    search(
      index,
      parseSearchRequest({
        query: { multi_match: { query: '苔の騎士 moss', fields: ['title', 'title_en'], type } },
      }),
      { nowMs: 0 },
    ).max_score;
  expect(scoreOf('most_fields')).toBeGreaterThan(scoreOf('best_fields') ?? NaN);
});
