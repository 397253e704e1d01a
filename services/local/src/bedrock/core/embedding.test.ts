import fc from 'fast-check';

import { cosineSimilarity, embedText } from './embedding';

const likeness = (a: string, b: string): number =>
  cosineSimilarity(embedText(a, 1_024), embedText(b, 1_024));

test('every embedding has the asked length and unit norm, and is the same each time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(256, 512, 1_024),
      (text, length) => {
        const vector = embedText(text, length);
        expect(vector).toHaveLength(length);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        expect(embedText(text, length)).toEqual(vector);
      },
    ),
  );
});

test.each([
  [
    'English',
    'a quiet story about a bookshop',
    'stories of a quiet bookshop',
    'the shipping fee to Hokkaido',
  ],
  ['Japanese', '静かな本屋の物語', '本屋を描く静かな漫画', '返品の送料について'],
  ['both kana', 'ネコと暮らす日々', 'ねことくらす', '宇宙の冒険'],
])('in %s, texts about the same thing are closer than others', (_, text, alike, other) => {
  expect(likeness(text, alike)).toBeGreaterThan(likeness(text, other) + 0.1);
});
