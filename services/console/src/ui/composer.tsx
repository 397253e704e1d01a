import { useEffect, useRef, useState } from 'preact/hooks';

import { SendIcon, StopIcon } from './icons';
import { useWords } from './language';

interface ComposerProps {
  readonly busy: boolean;
  readonly stopping: boolean;
  readonly onAsk: (question: string) => void;
  readonly onStop: () => void;
}

const MAX_LENGTH = 4_000;
/** Safari ends a composition just before it tells of the Enter that ended it; nobody sends this soon after. */
const SAME_KEY_MS = 100;

export function Composer({ busy, stopping, onAsk, onStop }: ComposerProps) {
  const words = useWords();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const composedAtMs = useRef(-Infinity);

  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const send = (): void => {
    const question = text.trim();
    if (question === '' || busy) return;
    setText('');
    onAsk(question);
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // While characters are being composed, Enter chooses among them.
    if (event.isComposing || event.timeStamp - composedAtMs.current < SAME_KEY_MS) return;
    if (event.key === 'Escape' && busy) onStop();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="field">
        <textarea
          ref={field}
          rows={1}
          value={text}
          maxLength={MAX_LENGTH}
          placeholder={words.placeholder}
          aria-label={words.messageLabel}
          aria-describedby="composer-hint"
          enterkeyhint="send"
          onInput={(event) => {
            composedAtMs.current = -Infinity;
            setText(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onCompositionEnd={(event) => {
            composedAtMs.current = event.timeStamp;
          }}
        />
        {busy ? (
          <button
            type="button"
            class="go stop"
            onClick={onStop}
            disabled={stopping}
            aria-label={stopping ? words.stopping : words.stop}
          >
            <StopIcon />
          </button>
        ) : (
          <button type="submit" class="go" disabled={text.trim() === ''} aria-label={words.send}>
            <SendIcon />
          </button>
        )}
      </div>
      <p id="composer-hint" class="hint">
        {words.enterHint}
      </p>
    </form>
  );
}
