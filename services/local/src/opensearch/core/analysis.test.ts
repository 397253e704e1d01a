import fc from 'fast-check';

import { analyze } from './analysis';

test.each([
  ['Salt Pirates, vol. 31!', ['salt', 'pirates', 'vol', '31']],
  ['塩の海賊団', ['塩の', 'の海', '海賊', '賊団']],
  ['猫', ['猫']],
  ['ゼロ号 ZERO-G', ['ゼロ', 'ロ号', 'zero', 'g']],
  ['ﾒﾝｶﾞ ＭＡＮＧＡ', ['メン', 'ンガ', 'manga']],
  ['鉄のbento箱', ['鉄の', 'bento', '箱']],
  ["the witch’s cat's", ['the', "witch's", "cat's"]],
  ['ラーメン', ['ラー', 'ーメ', 'メン']],
  ['。、！？ …', []],
])('%s is read as %j', (text, terms) => {
  expect(analyze(text)).toEqual(terms);
});

test('case and width never matter, and no term is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const terms = analyze(text);
      expect(terms).not.toContain('');
      expect(analyze(text.normalize('NFKC'))).toEqual(terms);
    }),
  );
});

test('a text inside another, cut at a space, keeps its terms', () => {
  const words = fc.array(fc.constantFrom('塩', '海賊団', 'Salt', 'ペンギン', '42', 'knight'), {
    minLength: 1,
  });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const together = analyze([...before, ...after].join(' '));
      expect(together).toEqual([...analyze(before.join(' ')), ...analyze(after.join(' '))]);
    }),
  );
});
