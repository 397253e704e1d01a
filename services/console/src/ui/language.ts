import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { WORDS } from '../core/words';
import type { Words } from '../core/words';

export const Language = createContext<Words>(WORDS.ja);

export function useWords(): Words {
  return useContext(Language);
}
