import type { ChatAlias } from '@matsuri/contract';
import { PROMPT_VERSION } from './prompt';
import { visibleText } from './visible-text';

/** The same question however it is typed: width, case, spaces and the marks at its end do not matter. */
function normalisedQuestion(text: string): string {
  return visibleText(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\s?!。．.]+$/u, '');
}

/** What makes two questions the same to the cache; tenant and scope stand in the key itself. */
export function digestInput(model: ChatAlias, locale: 'ja' | 'en', text: string): string {
  return JSON.stringify([model, PROMPT_VERSION, locale, normalisedQuestion(text)]);
}
