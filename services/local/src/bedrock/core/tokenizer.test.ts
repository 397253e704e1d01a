import fc from 'fast-check';

import { countTokens, splitTokens } from './tokenizer';

test('tokens joined are the text, none is empty, and counting agrees with splitting', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const tokens = splitTokens(text);
      expect(tokens.join('')).toBe(text);
      expect(tokens).not.toContain('');
      expect(countTokens(text)).toBe(tokens.length);
    }),
  );
});

test.each([
  ['four letters to a token', 'recommendation', ['reco', 'mmen', 'dati', 'on']],
  ['a space goes with the word it precedes', 'a new manga', ['a', ' new', ' mang', 'a']],
  ['one token per kanji and kana', '新刊です', ['新', '刊', 'で', 'す']],
  ['an emoji is never cut in half', '🎏🎏', ['🎏', '🎏']],
  ['a blank line is one token', 'a\n\n\tb', ['a', '\n\n\t', 'b']],
])('%s', (_, text, tokens) => {
  expect(splitTokens(text)).toEqual(tokens);
});
