import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Conversation, Turn } from '../core/conversation';
import { DownIcon } from './icons';
import { useWords } from './language';
import { TurnView } from './turn-view';

interface TranscriptProps {
  readonly conversation: Conversation;
  readonly onAgain: ((turn: Turn) => void) | undefined;
}

/** So near to the end, a reader wants to see what comes. */
const NEAR_PX = 80;

export function Transcript({ conversation, onAgain }: TranscriptProps) {
  const words = useWords();
  const scroller = useRef<HTMLElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = (): void => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  };
  const asked = conversation.turns.length;
  useLayoutEffect(toEnd, [asked]);
  useLayoutEffect(() => {
    if (atEnd) toEnd();
  }, [conversation]);

  const look = ({ currentTarget: element }: { currentTarget: HTMLElement }): void =>
    setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX);

  return (
    <div class="transcript">
      <section
        ref={scroller}
        class="turns"
        role="log"
        aria-live="off"
        aria-label={words.transcript}
        tabIndex={0}
        onScroll={look}
      >
        {conversation.turns.map((turn) => (
          <TurnView key={turn.clientMessageId} turn={turn} onAgain={onAgain} />
        ))}
      </section>
      {!atEnd && (
        <button
          type="button"
          class="to-end"
          onClick={toEnd}
          aria-label={words.toNewest}
          title={words.toNewest}
        >
          <DownIcon />
        </button>
      )}
    </div>
  );
}
