import type { Passage } from './passage';

export interface PrewarmQuestion {
  readonly locale: 'ja' | 'en';
  readonly text: string;
}

/** What many will ask of a title, in both languages. */
export function prewarmQuestions({ title, titleEn }: Passage): readonly PrewarmQuestion[] {
  const questions: PrewarmQuestion[] = [];
  if (title !== '') questions.push({ locale: 'ja', text: `${title}について教えて` });
  if (titleEn !== '') questions.push({ locale: 'en', text: `Tell me about ${titleEn}` });
  return questions;
}
