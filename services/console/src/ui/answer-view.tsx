import { brokeOff, isOpen } from '../core/conversation';
import type { Answer, Turn } from '../core/conversation';
import { count, dollars, modelName } from '../core/figures';
import type { Words } from '../core/words';
import { CopyButton } from './copy-button';
import { DegradedBadge } from './degraded-badge';
import { Lantern } from './icons';
import { useWords } from './language';
import { Prose } from './prose';
import { Sources } from './sources';
import { Unanswered } from './unanswered';

interface AnswerViewProps {
  readonly turn: Turn;
  /** Absent while another question is being answered. */
  readonly onAgain: ((turn: Turn) => void) | undefined;
}

export function AnswerView({ turn, onAgain }: AnswerViewProps) {
  const words = useWords();
  const { answer } = turn;
  const open = isOpen(turn);
  const why = whyUnanswered(turn, words);
  return (
    <div class={`answer ${answer.state}`} aria-busy={open}>
      <Lantern glowing={open} />
      <div class="said">
        <h2 class="unseen">{words.assistant}</h2>
        {answer.restarted && <p class="note restarted">{words.restarted}</p>}
        {answer.text === '' && open ? (
          <p class="thinking">{answer.held ? words.held[answer.held.by] : words.thinking}</p>
        ) : (
          <Prose
            text={answer.text}
            streaming={answer.state === 'answering'}
            turnId={turn.clientMessageId}
          />
        )}
        {answer.state === 'restarting' && <p class="note">{words.restarting}</p>}
        {answer.state === 'cancelled' && why === undefined && <p class="note">{words.cancelled}</p>}
        {answer.cutShort && <p class="note">{words.cutShort[answer.cutShort]}</p>}
        {why !== undefined && <Unanswered why={why} onAgain={onAgain && (() => onAgain(turn))} />}
        <Sources sources={answer.sources} turnId={turn.clientMessageId} />
        <Footer answer={answer} open={open} />
      </div>
    </div>
  );
}

function whyUnanswered(turn: Turn, words: Words): string | undefined {
  if (brokeOff(turn)) return words.brokeOff;
  const { state, error } = turn.answer;
  return state === 'failed' ? words.errors[error?.code ?? 'internal'] : undefined;
}

function Footer({ answer, open }: { readonly answer: Answer; readonly open: boolean }) {
  const words = useWords();
  const { usage } = answer;
  // That there is none is said already.
  const degraded = answer.degraded?.rung === 'apology' ? undefined : answer.degraded;
  if (!usage && !degraded && (open || answer.text === '')) return null;
  return (
    <footer>
      {degraded && <DegradedBadge {...degraded} />}
      {usage && (
        <span class="cost">
          <b>{dollars(usage.dollars)}</b>
          <span>{words.tokens(count(usage.inputTokens), count(usage.outputTokens))}</span>
          <span title={usage.model}>{modelName(usage.model)}</span>
        </span>
      )}
      {!open && answer.text !== '' && <CopyButton text={answer.text} />}
    </footer>
  );
}
