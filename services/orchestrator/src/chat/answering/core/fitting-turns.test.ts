import fc from 'fast-check';
import { estimateTextTokens } from '../../../gateway/core/openai/estimate-text-tokens';
import { fittingTurns } from './fitting-turns';

const BUDGET = 300;
const short = { question: 'いらっしゃいますか', answer: 'いらっしゃいませ' };
const long = 'むかしむかしあるところに'.repeat(100);

const tokensOf = (turns: readonly { readonly question: string; readonly answer: string }[]) =>
  turns.reduce((sum, it) => sum + tokens(it.question) + tokens(it.answer), 0);
const tokens = estimateTextTokens;

test('turns that fit are all there, in their order', () => {
  const turns = [short, { question: 'a', answer: 'b' }, { question: 'c', answer: 'd' }];
  expect(fittingTurns(turns, BUDGET)).toEqual(turns);
});

test('a conversation is cut at its beginning, between turns', () => {
  const turns = [short, { question: 'old', answer: long }, { question: 'c', answer: 'd' }];
  expect(fittingTurns(turns, BUDGET)).toEqual(turns.slice(-1));
});

test.each([
  ['question', { question: long, answer: 'はい。' }],
  ['answer', { question: '昔話をして', answer: long }],
])('the last turn is shortened rather than lost: a long %s', (which, turn) => {
  const [kept, ...others] = fittingTurns([short, turn], BUDGET);
  expect(others).toEqual([]);
  expect(kept).toMatchObject(
    which === 'question' ? { answer: turn.answer } : { question: turn.question },
  );
  const text = kept?.[which as keyof typeof kept] ?? '';
  expect(text.endsWith('…')).toBe(true);
  expect(long.startsWith(text.slice(0, -1))).toBe(true);
  expect(tokensOf(kept ? [kept] : [])).toBeGreaterThan(BUDGET * 0.9);
});

test('where both are long each has its half', () => {
  const [kept] = fittingTurns([{ question: long, answer: long }], BUDGET);
  for (const text of [kept?.question ?? '', kept?.answer ?? '']) {
    expect(text.endsWith('…')).toBe(true);
    expect(tokens(text)).toBeGreaterThan(BUDGET * 0.45);
  }
});

test('a question that was never answered takes no room', () => {
  const turns = [short, { question: long, answer: '\u200b ' }];
  expect(fittingTurns(turns, BUDGET)).toEqual([short]);
});

test('whatever was said, the last answered turn is there and the budget is kept', () => {
  const text = fc.string({ unit: 'binary', maxLength: 900 });
  const history = fc.array(fc.record({ question: text, answer: text }), { maxLength: 6 });
  fc.assert(
    fc.property(history, (turns) => {
      const all = [...turns, { question: 'last', answer: 'said' }];
      for (const each of [all, [...all, { question: long, answer: long }]]) {
        const kept = fittingTurns(each, BUDGET);
        expect(kept.length).toBeGreaterThan(0);
        expect(tokensOf(kept)).toBeLessThanOrEqual(BUDGET);
        expect(kept.at(-1)?.answer.slice(0, 4)).toBe(each.at(-1)?.answer.slice(0, 4));
      }
    }),
  );
});
