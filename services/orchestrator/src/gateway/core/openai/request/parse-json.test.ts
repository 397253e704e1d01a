import fc from 'fast-check';

import { parseJson } from './parse-json';

test('whatever JSON.parse reads, it reads alike', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
    }),
    { numRuns: 500 },
  );
});

test('whatever JSON.parse refuses, it refuses', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'[]{},:"\\01.5eE+- truefalsn'.split('')) }),
      (text) => {
        let readable = true;
        try {
          JSON.parse(text);
        } catch {
          readable = false;
        }
        expect(parseJson(text).ok).toBe(readable);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a depth bomb', '['.repeat(1_000_000)],
  ['a closed depth bomb', '['.repeat(20_000) + ']'.repeat(20_000)],
  ['many values', `[${'0,'.repeat(200_000)}0]`],
  ['many keys', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join()}}`],
  ['depth behind a string that looks closed', `["\\\\\\"",${'['.repeat(20_000)}`],
])('%s is not even parsed', (_, text) => {
  expect(parseJson(text)).toEqual({ ok: false, fault: 'too-complex' });
});

test.each([
  ['brackets in text', JSON.stringify(['['.repeat(20_000)])],
  ['commas in text', JSON.stringify(',"\\'.repeat(200_000))],
  ['much text', JSON.stringify('word '.repeat(200_000))],
  ['depth within bounds', `${'['.repeat(128)}${' '.repeat(20_000)}${']'.repeat(128)}`],
  ['siblings one after another', `[${Array(10_000).fill('[[]]').join()}]`],
  ['depth in a short text', '['.repeat(200) + ']'.repeat(200)],
])('%s is fine', (_, text) => {
  expect(parseJson(text).ok).toBe(true);
});

test.each(['', ' ', '{', `"${'x'.repeat(500)}`, '\ufeff{}', '{"a":1}x', 'nul'])(
  '%.20j is malformed',
  (text) => {
    expect(parseJson(text)).toEqual({ ok: false, fault: 'malformed' });
  },
);
