import type { LinkState } from '../connection';
import type { Conversation } from '../core/conversation';
import { dollars, totalDollars } from '../core/figures';
import { Lantern, MoonIcon, NewIcon, SunIcon } from './icons';
import { useWords } from './language';

interface HeaderProps {
  readonly link: LinkState;
  readonly theme: 'light' | 'dark';
  readonly conversation: Conversation;
  readonly onTheme: () => void;
  readonly onLanguage: () => void;
  readonly onNew: (() => void) | undefined;
}

export function Header(props: HeaderProps) {
  const { link, theme, conversation, onTheme, onLanguage, onNew } = props;
  const words = useWords();
  const total = totalDollars(conversation);
  return (
    <header>
      <Lantern />
      <div class="name">
        <h1>{words.assistant}</h1>
        <p class={`link ${link}`}>{words.connection[link]}</p>
      </div>
      <div class="tools">
        {total > 0 && (
          <span class="total" title={words.conversationCost}>
            <span class="unseen">{words.conversationCost} </span>
            {dollars(total)}
          </span>
        )}
        {onNew && (
          <button
            type="button"
            class="quiet"
            onClick={onNew}
            aria-label={words.newConversation}
            title={words.newConversation}
          >
            <NewIcon />
          </button>
        )}
        <button type="button" class="quiet text" onClick={onLanguage}>
          {words.otherLanguage}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={onTheme}
          aria-label={theme === 'dark' ? words.toLight : words.toDark}
          title={theme === 'dark' ? words.toLight : words.toDark}
        >
          {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
        </button>
      </div>
    </header>
  );
}
