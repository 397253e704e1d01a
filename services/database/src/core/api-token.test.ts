import fc from 'fast-check';
import { formatToken, isWellFormedToken, lastFour } from './api-token';

const token = formatToken(Buffer.alloc(32, 7));
const random = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('is the prefix and 48 characters that need no escaping anywhere', () => {
  expect(token).toMatch(/^mts_[A-Za-z0-9_-]{48}$/);
});

test('whatever was formatted is well formed', () => {
  fc.assert(fc.property(random, (bytes) => isWellFormedToken(formatToken(bytes))));
});

test('different bytes are different tokens', () => {
  fc.assert(
    fc.property(random, random, (a, b) => {
      const same = Buffer.from(a).equals(Buffer.from(b));
      expect(formatToken(a) === formatToken(b)).toBe(same);
    }),
  );
});

test('one wrong character is noticed, wherever it is', () => {
  fc.assert(
    fc.property(
      random,
      fc.nat(51),
      fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '_', '-'),
      (bytes, at, character) => {
        const right = formatToken(bytes);
        fc.pre(right[at] !== character);
        expect(isWellFormedToken(right.slice(0, at) + character + right.slice(at + 1))).toBe(false);
      },
    ),
  );
});

test.each([
  ['nothing', ''],
  ['the prefix alone', 'mts_'],
  ['another prefix', token.replace('mts_', 'sk-_')],
  ['a missing character', token.slice(0, -1)],
  ['an extra character', `${token}A`],
  ['a line break at the end', `${token}\n`],
  ['standard base64', token.replace(/.$/, '+')],
  ['a million characters', 'mts_'.padEnd(1_000_000, 'A')],
])('refuses %s', (_, text) => {
  expect(isWellFormedToken(text)).toBe(false);
});

test('refuses to make a token of too little randomness', () => {
  expect(() => formatToken(Buffer.alloc(31))).toThrow(RangeError);
});

test('shows its last four characters', () => {
  expect(token.endsWith(lastFour(token))).toBe(true);
  expect(lastFour(token)).toHaveLength(4);
});
