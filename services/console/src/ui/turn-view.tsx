import { useMemo } from 'preact/hooks';

import type { Turn } from '../core/conversation';
import { visibleText } from '../core/visible-text';
import { AnswerView } from './answer-view';
import { useWords } from './language';

interface TurnViewProps {
  readonly turn: Turn;
  readonly onAgain: ((turn: Turn) => void) | undefined;
}

/** A question and its answer, drawn and its Markdown read only when they change: tokens come many times a second. */
export function TurnView({ turn, onAgain }: TurnViewProps) {
  const words = useWords();
  return useMemo(
    () => (
      <article class="turn">
        <h2 class="unseen">{words.you}</h2>
        <p class="question">{visibleText(turn.question)}</p>
        <AnswerView turn={turn} onAgain={onAgain} />
      </article>
    ),
    [turn, onAgain, words],
  );
}
