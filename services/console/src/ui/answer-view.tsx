import type { Answer, Turn } from '../core/conversation';
import { isOpen } from '../core/conversation';
import { count, dollars, modelName } from '../core/figures';
import { AgainIcon, Lantern } from './icons';
import { CopyButton } from './copy-button';
import { DegradedBadge } from './degraded-badge';
import { useWords } from './language';
import { Prose } from './prose';
import { Sources } from './sources';

interface AnswerViewProps {
  readonly turn: Turn;
  readonly onAgain: (turn: Turn) => void;
}

export function AnswerView({ turn, onAgain }: AnswerViewProps) {
  const words = useWords();
  const { answer } = turn;
  const open = isOpen(turn);
  return (
    <div class={`answer ${answer.state}`} aria-busy={open}>
      <Lantern glowing={open} />
      <div class="said">
        <h2 class="unseen">{words.assistant}</h2>
        {answer.restarted && <p class="note restarted">{words.restarted}</p>}
        {answer.text === '' && open ? (
          <p class="thinking">{words.thinking}</p>
        ) : (
          <Prose text={answer.text} streaming={open} turnId={turn.clientMessageId} />
        )}
        {answer.state === 'restarting' && <p class="note">{words.restarting}</p>}
        {answer.state === 'cancelled' && <p class="note">{words.cancelled}</p>}
        {answer.cutShort && <p class="note">{words.cutShort[answer.cutShort]}</p>}
        {answer.state === 'failed' && (
          <div class="failure" role="alert">
            <p>{words.errors[answer.error?.code ?? 'internal']}</p>
            <button type="button" onClick={() => onAgain(turn)}>
              <AgainIcon /> {words.tryAgain}
            </button>
          </div>
        )}
        <Sources sources={answer.sources} turnId={turn.clientMessageId} />
        <Footer answer={answer} open={open} />
      </div>
    </div>
  );
}

function Footer({ answer, open }: { readonly answer: Answer; readonly open: boolean }) {
  const words = useWords();
  const { usage, degraded } = answer;
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
