import { INTENTS } from '@matsuri/contract';
import fc from 'fast-check';

import { HELD_OUT_UTTERANCES } from './held-out-utterances';
import { trainIntentClassifier } from './intent-classifier';
import { TRAINING_UTTERANCES } from './training-utterances';

const classify = trainIntentClassifier(TRAINING_UTTERANCES);

const heldOut = INTENTS.flatMap((intent) =>
  HELD_OUT_UTTERANCES[intent].map((text) => ({ intent, text })),
);
const isJapanese = (text: string): boolean => /[ぁ-んァ-ヶ一-龠]/.test(text);

function accuracy(cases: typeof heldOut): number {
  return cases.filter(({ intent, text }) => classify(text).label === intent).length / cases.length;
}

test('it learns from at least 200 utterances, both languages for every intent', () => {
  expect(Object.values(TRAINING_UTTERANCES).flat().length).toBeGreaterThanOrEqual(200);
  for (const intent of INTENTS) {
    for (const set of [TRAINING_UTTERANCES, HELD_OUT_UTTERANCES]) {
      expect(set[intent].some(isJapanese)).toBe(true);
      expect(set[intent].some((text) => !isJapanese(text))).toBe(true);
    }
  }
});

test('no utterance is both learned from and measured with, or carries two labels', () => {
  const all = [...Object.values(TRAINING_UTTERANCES), ...Object.values(HELD_OUT_UTTERANCES)].flat();
  const normal = all.map((text) => text.toLowerCase().replace(/[\p{P}\s]/gu, ''));
  expect(normal.filter((text, index) => normal.indexOf(text) !== index)).toEqual([]);
});

test('it names the intent of at least 90 % of the utterances it never saw', () => {
  expect(accuracy(heldOut)).toBeGreaterThanOrEqual(0.9);
});

test.each([
  ['Japanese', true],
  ['English', false],
])('at least 85 %% of those in %s', (_, japanese) => {
  expect(accuracy(heldOut.filter(({ text }) => isJapanese(text) === japanese))).toBeGreaterThan(
    0.85,
  );
});

test.each(INTENTS)('at least two thirds of those for %s', (intent) => {
  expect(accuracy(heldOut.filter((each) => each.intent === intent))).toBeGreaterThan(2 / 3);
});

test('training again gives the same scores, bit for bit', () => {
  const again = trainIntentClassifier(TRAINING_UTTERANCES);
  for (const { text } of heldOut.slice(0, 20)) expect(again(text)).toEqual(classify(text));
});

test('width, case and digits do not change what is meant', () => {
  expect(classify('ＷＨＥＲＥ is my order 123')).toEqual(classify('where IS my ORDER 9'));
});

test('whatever is said, the scores are probabilities and the label has the highest', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const { label, score, scores } = classify(text);
      const values = [...scores.values()];
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
      expect(Math.max(...values)).toBe(score);
      expect(scores.get(label)).toBe(score);
    }),
  );
});
