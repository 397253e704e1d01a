import { INTENTS, type Intent } from '@matsuri/contract';
import fc from 'fast-check';
import { cacheScope } from './cache-scope';

const PERSONAL: readonly Intent[] = ['order_status', 'wishlist', 'purchase', 'order_confirmation'];
const ofUser = { kind: 'user', userId: 'u' };

function scope(changes: Partial<Parameters<typeof cacheScope>[0]> = {}) {
  return cacheScope({
    userId: 'u',
    intent: 'faq',
    question: '送料はいくらですか',
    historyTurns: 0,
    ...changes,
  });
}

test('an answer without personal context is for everybody of the tenant', () => {
  expect(scope()).toEqual({ kind: 'public' });
});

test.each(PERSONAL)('an answer about %s is for the user alone', (intent) => {
  expect(scope({ intent })).toEqual(ofUser);
});

test('an answer that continues a conversation is for nobody else, nor for another conversation', () => {
  expect(scope({ historyTurns: 1 })).toBeUndefined();
  expect(scope({ intent: 'multi_turn' })).toBeUndefined();
});

test('what could not be found out counts as personal, and as a conversation', () => {
  expect(scope({ intent: undefined })).toEqual(ofUser);
  expect(scope({ historyTurns: undefined })).toBeUndefined();
});

test.each([
  '私の注文はどこですか',
  'where is my order',
  'I ordered yesterday',
  '注文番号１２３４５６７８について',
  'order 1234-5678',
  'reach me at taro@example.com',
  '０９０-１２３４-５６７８に電話して',
])('a question that tells of its asker is personal: %s', (question) => {
  expect(scope({ question })).toEqual(ofUser);
});

test('nothing enters the public scope that is personal by any sign', () => {
  fc.assert(
    fc.property(
      fc.option(fc.constantFrom(...INTENTS), { nil: undefined }),
      fc.option(fc.nat(3), { nil: undefined }),
      fc.constantFrom('新刊は？', '私の本', 'new books?', '1234567'),
      (intent, historyTurns, question) => {
        const given = scope({ intent, historyTurns, question });
        if (given?.kind !== 'public') return;
        expect(intent).toBeDefined();
        expect(PERSONAL).not.toContain(intent);
        expect(historyTurns).toBe(0);
        expect(['新刊は？', 'new books?']).toContain(question);
      },
    ),
  );
});
