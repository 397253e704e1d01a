import { localeOf } from './core/words';
import type { Locale } from './core/outgoing';

type Theme = 'light' | 'dark';

interface PreferencesState {
  readonly locale: Locale;
  readonly theme: Theme;
}

/** How a reader likes the page; kept in the browser, and by default what the browser says. */
export interface Preferences {
  readonly state: PreferencesState;
  subscribe(listener: () => void): () => void;
  toggleLocale(): void;
  toggleTheme(): void;
}

const LOCALE_KEY = 'matsuri.locale';
const THEME_KEY = 'matsuri.theme';

export function startPreferences(): Preferences {
  const listeners = new Set<() => void>();
  const chosenTheme = kept(THEME_KEY);
  let state: PreferencesState = {
    locale: localeOf([kept(LOCALE_KEY) ?? navigator.language]),
    theme: chosenTheme === 'light' || chosenTheme === 'dark' ? chosenTheme : systemTheme(),
  };
  const apply = (): void => {
    document.documentElement.lang = state.locale;
    document.documentElement.dataset['theme'] = state.theme;
    colourBar();
    for (const listener of listeners) listener();
  };
  const change = (key: string, value: Partial<PreferencesState>): void => {
    state = { ...state, ...value };
    keep(key, Object.values(value)[0] ?? '');
    apply();
  };
  apply();
  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    toggleLocale: () => change(LOCALE_KEY, { locale: state.locale === 'ja' ? 'en' : 'ja' }),
    toggleTheme: () => change(THEME_KEY, { theme: state.theme === 'dark' ? 'light' : 'dark' }),
  };
}

/** The browser's own bar goes on from the page's header, in the theme that was chosen. */
function colourBar(): void {
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--paper-raised');
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    if (colour !== '') bar.content = colour;
  }
}

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Forbidden: the choice then lasts as long as the page.
  }
}
