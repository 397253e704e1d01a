import { unwritableField } from './ledger-input';

const ID = '018f2b3c-0000-7000-8000-000000000001';

test.each([
  ['nothing', { id: ID, text: 'münchen 漫画 🎏', cost: 0, gone: false, token: null }, undefined],
  ['an id that is none', { id: 'abc' }, 'id'],
  ['a missing id', { text: '' }, 'id'],
  ['a NUL', { id: ID, text: 'a\0b' }, 'text'],
  ['half a character', { id: ID, text: '\ud83c' }, 'text'],
  ['a text too long to index', { id: ID, text: 'x'.repeat(501) }, 'text'],
  ['a fraction', { id: ID, cost: 0.5 }, 'cost'],
  ['a debt', { id: ID, cost: -1 }, 'cost'],
  ['a number beyond exactness', { id: ID, cost: 2 ** 53 }, 'cost'],
  ['no number', { id: ID, cost: Number.NaN }, 'cost'],
])('finds %s', (_, fields, found) => {
  expect(unwritableField('id', fields)).toBe(found);
});
