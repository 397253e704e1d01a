import { INTENTS } from '@matsuri/contract';
import type { Intent } from '@matsuri/contract';

import { countFeatures, weighFeatures } from './feature-weights';
import { classifySoftmax, trainSoftmax } from './softmax-classifier';
import { utteranceFeatures } from './utterance-features';

/** What an utterance most likely wants, and how likely each intent is. The scores add up to one. */
interface Classification {
  readonly label: Intent;
  readonly score: number;
  readonly scores: ReadonlyMap<Intent, number>;
}

export type IntentClassifier = (text: string) => Classification;

export type UtterancesByIntent = Readonly<Record<Intent, readonly string[]>>;

const TRAINING = { epochs: 30, learningRate: 2, decay: 0.005 };

/** Learns to tell intents apart from example utterances. */
export function trainIntentClassifier(utterances: UtterancesByIntent): IntentClassifier {
  const seen = inTurn(utterances).map(({ label, text }) => ({
    label,
    features: utteranceFeatures(text),
  }));
  const weights = countFeatures(seen.map(({ features }) => features));
  const vectors = seen.map(({ label, features }) => ({
    label,
    features: weighFeatures(weights, features),
  }));
  const model = trainSoftmax(INTENTS, vectors, TRAINING);

  return (text) => {
    const scores = classifySoftmax(model, weighFeatures(weights, utteranceFeatures(text)));
    const [label, score] = [...scores].reduce((best, next) => (next[1] > best[1] ? next : best));
    return { label, score, scores };
  };
}

// Gradient descent forgets what it saw long ago, so the intents take turns.
function inTurn(utterances: UtterancesByIntent): { label: Intent; text: string }[] {
  const rounds = Math.max(...INTENTS.map((intent) => utterances[intent].length));
  return Array.from({ length: rounds }, (_, round) => round).flatMap((round) =>
    INTENTS.flatMap((label) => {
      const text = utterances[label][round];
      return text === undefined ? [] : [{ label, text }];
    }),
  );
}
