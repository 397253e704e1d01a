import type { ChatAlias, Intent } from '@matsuri/contract';

export interface ModelWish {
  readonly intent: Intent;
  readonly questionTokens: number;
  /** The small model stands in for the larger one. */
  readonly shifted: boolean;
}

/** Advice and conversations want the larger model; look-ups do not. */
const COMPLEX_INTENTS: ReadonlySet<Intent> = new Set(['recommendation', 'multi_turn']);

/** A question this long is not simple, whatever it asks. */
const LONG_QUESTION_TOKENS = 300;
/** One this long stays with the larger model even while load is shifted. */
const TOO_LONG_TO_SHIFT_TOKENS = 2_000;

/** Which model a question deserves, and gets. */
export function chooseModel({ intent, questionTokens, shifted }: ModelWish): {
  readonly deserved: ChatAlias;
  readonly chosen: ChatAlias;
} {
  const complex = COMPLEX_INTENTS.has(intent) || questionTokens > LONG_QUESTION_TOKENS;
  const deserved = complex ? 'complex' : 'simple';
  const chosen = shifted && questionTokens <= TOO_LONG_TO_SHIFT_TOKENS ? 'simple' : deserved;
  return { deserved, chosen };
}
