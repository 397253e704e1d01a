import { useCallback } from 'preact/hooks';

import type { Chat } from '../chat';
import { openTurn } from '../core/conversation';
import type { Turn } from '../core/conversation';
import { WORDS } from '../core/words';
import type { Preferences } from '../preferences';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { Header } from './header';
import { Language } from './language';
import { Transcript } from './transcript';
import { useLive } from './use-live';
import { Welcome } from './welcome';

interface AppProps {
  readonly chat: Chat;
  readonly preferences: Preferences;
}

export function App({ chat, preferences }: AppProps) {
  const { conversation, link, recalling } = useLive(chat);
  const { locale, theme } = useLive(preferences);
  const open = openTurn(conversation);
  const ask = useCallback((question: string) => chat.ask(question), [chat]);
  const askAgain = useCallback((turn: Turn) => chat.askAgain(turn), [chat]);
  const isEmpty = conversation.turns.length === 0;

  return (
    <Language.Provider value={WORDS[locale]}>
      <Header
        link={link}
        theme={theme}
        conversation={conversation}
        onTheme={() => preferences.toggleTheme()}
        onLanguage={() => preferences.toggleLocale()}
        onNew={isEmpty ? undefined : () => chat.startAnew()}
      />
      <main>
        {isEmpty && recalling && <p class="recalling">{WORDS[locale].recalling}</p>}
        {isEmpty && !recalling && <Welcome onAsk={ask} />}
        {!isEmpty && (
          <Transcript conversation={conversation} onAgain={open ? undefined : askAgain} />
        )}
        <Composer
          busy={open !== undefined}
          stopping={open?.answer.stopping === true}
          onAsk={ask}
          onStop={() => chat.stop()}
        />
      </main>
      <Announcer conversation={conversation} link={link} recalling={recalling} />
    </Language.Provider>
  );
}
