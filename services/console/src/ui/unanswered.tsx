import { AgainIcon } from './icons';
import { useWords } from './language';

interface UnansweredProps {
  readonly why: string;
  /** Absent while another question is being answered: one at a time. */
  readonly onAgain: (() => void) | undefined;
}

/** Says why there is no whole answer, and offers another try. The announcer tells it to those who listen. */
export function Unanswered({ why, onAgain }: UnansweredProps) {
  const words = useWords();
  return (
    <div class="unanswered">
      <p>{why}</p>
      <button type="button" onClick={onAgain} disabled={onAgain === undefined}>
        <AgainIcon /> {words.tryAgain}
      </button>
    </div>
  );
}
