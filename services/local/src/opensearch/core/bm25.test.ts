import fc from 'fast-check';

import { bm25, bm25Exact } from './bm25';
import { termIndex } from './term-index';

function indexOf(...documents: (readonly string[])[]) {
  const index = termIndex<number>();
  documents.forEach((terms, id) => index.add(id, terms));
  return index;
}

const fillers = (count: number): string[] => Array.from({ length: count }, () => 'other');

test('one document of one term scores as the formula says', () => {
  // N = n = 1, length = average: ln(1 + 0.5 / 1.5) × 1 / 2.2
  expect(bm25(indexOf(['neko']), 'neko', 0)).toBeCloseTo(Math.log(4 / 3) / 2.2, 12);
});

test('in a field of the same length, more occurrences always score higher', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }), (few, extra) => {
      const length = few + extra + 5;
      const index = indexOf(
        [...Array.from({ length: few }, () => 'neko'), ...fillers(length - few)],
        [...Array.from({ length: few + extra }, () => 'neko'), ...fillers(length - few - extra)],
      );
      expect(bm25(index, 'neko', 1)).toBeGreaterThan(bm25(index, 'neko', 0));
    }),
  );
});

test('the same occurrences score lower in a longer field', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 50 }), (some, more) => {
      const index = indexOf(['neko', ...fillers(some)], ['neko', ...fillers(some + more)]);
      expect(bm25(index, 'neko', 0)).toBeGreaterThan(bm25(index, 'neko', 1));
    }),
  );
});

test('the rarer a term, the higher it scores', () => {
  const index = indexOf(['inu', 'neko'], ['inu'], ['inu'], ['tori']);
  expect(bm25(index, 'neko', 0)).toBeGreaterThan(bm25(index, 'inu', 0));
  expect(bm25Exact(index, 'neko')).toBeGreaterThan(bm25Exact(index, 'inu'));
});

test('a term that is not there scores nothing, one that is scores something', () => {
  const terms = fc.array(fc.constantFrom<string>('a', 'b', 'c'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(terms, { minLength: 1, maxLength: 8 }), (documents) => {
      const index = indexOf(...documents);
      documents.forEach((document, id) => {
        for (const term of ['a', 'b', 'c']) {
          expect(bm25(index, term, id) > 0).toBe(document.includes(term));
        }
      });
    }),
  );
});
