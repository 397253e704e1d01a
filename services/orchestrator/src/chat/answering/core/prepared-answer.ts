import type { FALLBACK_RUNGS, Intent } from '@matsuri/contract';
import type { CachedAnswer, Freshness } from './cached-answer';
import { hasExactTemplate, templateFor } from './templates';

type Rung = (typeof FALLBACK_RUNGS)[number];
type Said = Pick<CachedAnswer, 'text' | 'sources' | 'intent'>;

/** What there is to say before a model has said anything. */
export interface Preparation {
  readonly question: string;
  readonly locale: 'ja' | 'en';
  readonly intent: Intent;
  readonly cached: { readonly answer: CachedAnswer; readonly freshness: Freshness } | undefined;
  /** Where nobody knows what was said before, a question's words may mean something else. */
  readonly isHistoryKnown: boolean;
  /** While models answer, only what was prepared for the very thing asked takes their place. */
  readonly areModelsLeft: boolean;
}

/** An answer that is there already, and the rung it stands on. */
export interface PreparedAnswer extends Said {
  readonly rung: Rung;
}

/** The best answer that is there already on the rungs that are open, best first. */
export function preparedAnswer(
  rungs: readonly Rung[],
  preparation: Preparation,
): PreparedAnswer | undefined {
  for (const rung of rungs) {
    const said = saidOn(rung, preparation);
    if (said) return { rung, text: said.text, sources: said.sources, intent: said.intent };
  }
  return undefined;
}

function saidOn(rung: Rung, preparation: Preparation): Said | undefined {
  const { cached, isHistoryKnown } = preparation;
  switch (rung) {
    case 'full':
      return isHistoryKnown && cached?.freshness === 'fresh' ? cached.answer : undefined;
    case 'longer_cache':
      return isHistoryKnown && cached?.freshness === 'stretched' ? cached.answer : undefined;
    case 'cached_answer':
      return cached?.answer;
    case 'template':
      return templated(preparation);
    case 'coalesced':
    case 'small_model':
    case 'apology':
      return undefined;
  }
}

function templated({ question, locale, intent, areModelsLeft }: Preparation): Said | undefined {
  if (areModelsLeft && !hasExactTemplate(intent, question)) return undefined;
  const text = templateFor(intent, question, locale);
  return text === undefined ? undefined : { text, sources: [], intent };
}
