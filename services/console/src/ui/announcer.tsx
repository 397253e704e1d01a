import type { LinkState } from '../connection';
import { brokeOff } from '../core/conversation';
import type { Conversation } from '../core/conversation';
import type { Words } from '../core/words';
import { visibleText } from '../core/visible-text';
import { useWords } from './language';

interface AnnouncerProps {
  readonly conversation: Conversation;
  readonly link: LinkState;
  readonly recalling: boolean;
}

/** What a screen reader says: each stage once, and an answer when it is whole instead of token by token. */
export function Announcer({ conversation, link, recalling }: AnnouncerProps) {
  const words = useWords();
  return (
    <p role="status" class="unseen">
      {link === 'reconnecting' ? words.connection.reconnecting : news()}
    </p>
  );

  function news(): string {
    return recalling && conversation.turns.length === 0
      ? words.recalling
      : announcement(conversation, words);
  }
}

function announcement({ turns }: Conversation, words: Words): string {
  const turn = turns.at(-1);
  // What was said long ago is not news.
  if (turn === undefined || turn.answer.recalled === true) return '';
  const { answer } = turn;
  switch (answer.state) {
    case 'waiting':
    case 'answering':
      return answer.held ? words.held[answer.held.by] : words.thinking;
    case 'restarting':
      return words.restarting;
    case 'cancelled':
      return brokeOff(turn) ? words.brokeOff : words.cancelled;
    case 'failed':
      return words.errors[answer.error?.code ?? 'internal'];
    case 'complete':
      return [
        answer.restarted ? words.restarted : '',
        words.answerReady,
        visibleText(answer.text),
      ].join(' ');
  }
}
