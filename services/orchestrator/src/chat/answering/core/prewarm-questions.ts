import type { Passage } from './passage';

export interface PrewarmQuestion {
  readonly locale: 'ja' | 'en';
  readonly text: string;
}

/** What many will ask of a title, in both languages. */
export function prewarmQuestions({ title, titleEn }: Passage): readonly PrewarmQuestion[] {
  const questions: PrewarmQuestion[] = [];
  if (title !== '') {
    questions.push({ locale: 'ja', text: `${title}の最新刊はありますか` });
    questions.push({ locale: 'ja', text: `${title}はどんな漫画ですか` });
  }
  if (titleEn !== '') {
    questions.push({ locale: 'en', text: `Do you have the latest volume of ${titleEn}?` });
  }
  return questions;
}
