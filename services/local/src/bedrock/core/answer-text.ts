import { PHRASES } from './answer-phrases';
import type { Language } from './answer-phrases';
import type { SeededRandom } from './seeded-random';
import { splitTokens } from './tokenizer';

export interface AnswerOptions {
  readonly language: Language;
  readonly titles: readonly string[];
  /** Exactly so many tokens; otherwise a few sentences. */
  readonly tokens?: number | undefined;
}

/** An answer a shop assistant might give; the same question gets the same words. */
export function answerTokens(random: SeededRandom, options: AnswerOptions): string[] {
  const sentences = openingSentences(random, options);
  if (options.tokens === undefined)
    return splitTokens(join(closed(random, sentences, options), options));
  return exactly(options.tokens, random, sentences, options);
}

/** A train of thought of about `sentences` sentences. */
export function thoughtTokens(
  random: SeededRandom,
  language: Language,
  sentences: number,
): string[] {
  const lines = Array.from({ length: sentences }, () => random.pick(PHRASES[language].thought));
  return splitTokens(join(lines, { language }));
}

function openingSentences(random: SeededRandom, { language, titles }: AnswerOptions): string[] {
  const phrases = PHRASES[language];
  const cited = titles.map((title, index) =>
    random
      .pick(phrases.source)
      .replace('{title}', title)
      .replace('{n}', String(index + 1)),
  );
  return [random.pick(phrases.opening), ...cited];
}

function closed(random: SeededRandom, sentences: string[], { language }: AnswerOptions): string[] {
  const phrases = PHRASES[language];
  const body = Array.from({ length: random.between(2, 4) }, () => random.pick(phrases.body));
  return [...sentences, ...new Set(body), random.pick(phrases.closing)];
}

function exactly(
  count: number,
  random: SeededRandom,
  sentences: string[],
  options: AnswerOptions,
): string[] {
  const tokens = splitTokens(join(sentences, options));
  while (tokens.length < count) {
    const separator = options.language === 'ja' ? '' : ' ';
    tokens.push(...splitTokens(separator + random.pick(PHRASES[options.language].body)));
  }
  return tokens.slice(0, count);
}

function join(sentences: readonly string[], { language }: { readonly language: Language }): string {
  return sentences.join(language === 'ja' ? '' : ' ');
}
