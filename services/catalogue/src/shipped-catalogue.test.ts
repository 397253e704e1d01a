import { DEMOGRAPHICS, FAQ_TOPICS, GENRES } from './core/schema';
import { loadCatalogue, parseCatalogue } from './shipped-catalogue';

const { titles, faq } = loadCatalogue();

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

test('the shop carries between 150 and 200 titles and at least 25 answers', () => {
  expect(titles.length).toBeGreaterThanOrEqual(150);
  expect(titles.length).toBeLessThanOrEqual(200);
  expect(faq.length).toBeGreaterThanOrEqual(25);
});

test.each(['id', 'title', 'title_en', 'reading', 'synopsis_ja', 'synopsis_en'] as const)(
  'no two titles share their %s',
  (field) => {
    expect(repeated(titles.map((title) => title[field]))).toEqual([]);
  },
);

test.each(['id', 'question_ja', 'answer_ja', 'question_en', 'answer_en'] as const)(
  'no two answers share their %s',
  (field) => {
    expect(repeated(faq.map((entry) => entry[field]))).toEqual([]);
  },
);

test('a title and an answer never share an id', () => {
  expect(repeated([...titles, ...faq].map(({ id }) => id))).toEqual([]);
});

test('popularity ranks are 1 to n without a gap', () => {
  const ranks = titles.map((title) => title.popularity_rank).sort((a, b) => a - b);
  expect(ranks).toEqual(titles.map((_, index) => index + 1));
});

test('every shelf, genre and topic is in use', () => {
  expect(new Set(titles.map((title) => title.demographic))).toEqual(new Set(DEMOGRAPHICS));
  expect(new Set(titles.flatMap((title) => title.genres))).toEqual(new Set(GENRES));
  expect(new Set(faq.map((entry) => entry.topic))).toEqual(new Set(FAQ_TOPICS));
});

test('only running series announce a volume, and it is the next one, later than the last', () => {
  for (const { id, status, volumes, release_day, next_release: next } of titles) {
    if (next === undefined) continue;
    expect({ id, status, volume: next.volume }).toEqual({
      id,
      status: 'ongoing',
      volume: volumes + 1,
    });
    expect(next.day > release_day).toBe(true);
  }
});

test('late 2026 has releases to wait for, and the week has magazines to read', () => {
  const upcoming = titles.filter(({ next_release }) => next_release?.day.startsWith('2026-12'));
  expect(upcoming.length).toBeGreaterThanOrEqual(20);
  const magazines = new Map(
    titles.flatMap(({ weekly }) => (weekly ? [[weekly.magazine, weekly.weekday] as const] : [])),
  );
  expect(magazines.size).toBeGreaterThanOrEqual(3);
  for (const { weekly } of titles) {
    if (weekly) expect(weekly.weekday).toBe(magazines.get(weekly.magazine));
  }
});

test('an author is written one way in each script', () => {
  const latin = new Map(titles.map((title) => [title.author, title.author_en]));
  for (const title of titles) expect(title.author_en).toBe(latin.get(title.author));
});

test('synopses are sentences, and no two begin alike', () => {
  for (const { synopsis_ja, synopsis_en } of titles) {
    expect(synopsis_ja).toMatch(/^.{25,120}。$/);
    expect(synopsis_en).toMatch(/^.{50,240}[.!?]$/);
  }
  expect(repeated(titles.map(({ synopsis_ja }) => synopsis_ja.slice(0, 8)))).toEqual([]);
});

test('data that breaks the schema is refused by name', () => {
  const [title] = titles;
  expect(() => parseCatalogue([{ ...title, price_jpy: -1 }], [])).toThrow(/price_jpy/);
  expect(() => parseCatalogue([{ ...title, publisher: 'x' }], [])).toThrow(/publisher/);
});
