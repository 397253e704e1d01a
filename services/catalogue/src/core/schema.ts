import { INTENTS } from '@matsuri/contract';
import { z } from 'zod';

/** Whom a title is drawn for, as Japanese bookshops shelve it. */
export const DEMOGRAPHICS = ['shonen', 'shojo', 'seinen', 'josei', 'kids'] as const;

export const GENRES = [
  'action',
  'adventure',
  'animals',
  'comedy',
  'cooking',
  'drama',
  'fantasy',
  'historical',
  'horror',
  'mecha',
  'music',
  'mystery',
  'romance',
  'school',
  'sci-fi',
  'slice-of-life',
  'sports',
  'supernatural',
  'thriller',
  'workplace',
] as const;

export const FAQ_TOPICS = [
  'account',
  'digital',
  'gifts',
  'payment',
  'points',
  'preorder',
  'returns',
  'shipping',
  'store',
] as const;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const hiragana = z.string().regex(/^[ぁ-んー]+$/);
const japanese = z.string().regex(/[ぁ-んァ-ヶ一-龠]/);
const english = z.string().regex(/^[\p{Script=Latin}\p{Number}\p{Punctuation}\s+]+$/u);

/** One series of the store. Titles, people, magazines and plots are invented. */
export const mangaTitle = z.strictObject({
  id: slug,
  title: japanese,
  title_en: english,
  reading: hiragana,
  author: japanese,
  author_en: english,
  demographic: z.enum(DEMOGRAPHICS),
  genres: z.array(z.enum(GENRES)).min(1).max(4),
  tags: z.array(japanese).min(2).max(5),
  /** Volumes on sale today. */
  volumes: z.int().positive(),
  status: z.enum(['ongoing', 'completed', 'hiatus']),
  /** Price of one volume, tax included. */
  price_jpy: z.int().min(300).max(2_000),
  /** The day the newest volume on sale came out, in Japan. */
  release_day: z.iso.date(),
  /** Absent when nothing is announced. */
  next_release: z.strictObject({ volume: z.int().positive(), day: z.iso.date() }).optional(),
  /** The weekly magazine it runs in, and the day that magazine appears. */
  weekly: z.strictObject({ magazine: japanese, weekday: z.enum(WEEKDAYS) }).optional(),
  /** 1 is the best seller. */
  popularity_rank: z.int().positive(),
  synopsis_ja: japanese,
  synopsis_en: english,
});

/** A question of the shop's customers with its answer, in both languages. */
export const faqEntry = z.strictObject({
  id: slug,
  topic: z.enum(FAQ_TOPICS),
  /** Intents for which this answer is worth retrieving. */
  intents: z.array(z.enum(INTENTS)).min(1),
  question_ja: japanese,
  answer_ja: japanese,
  question_en: english,
  answer_en: english,
});

export type MangaTitle = z.infer<typeof mangaTitle>;
export type FaqEntry = z.infer<typeof faqEntry>;

/** Everything the shop sells and knows. */
export interface Catalogue {
  readonly titles: readonly MangaTitle[];
  readonly faq: readonly FaqEntry[];
}
