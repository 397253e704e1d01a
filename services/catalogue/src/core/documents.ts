import { INTENTS, type Intent } from '@matsuri/contract';
import { z } from 'zod';

import type { Catalogue, FaqEntry, MangaTitle } from './schema';

const day = z.iso.date().exactOptional();
const word = z.string().exactOptional();
const words = z.array(z.string()).readonly().exactOptional();
const count = z.int().exactOptional();

/** What an index holds of a title or an answer. Every document names its tenant and who may see it. */
export const catalogueDocument = z
  .strictObject({
    id: z.string().min(1),
    tenant: z.string().min(1),
    scope: z.literal('public'),
    kind: z.enum(['title', 'faq']),
    /** Intents for which the document is worth retrieving. */
    intent: z.array(z.enum(INTENTS)).readonly(),
    title: z.string(),
    title_en: z.string(),
    text: z.string(),
    text_en: z.string(),
    topic: word,
    reading: word,
    author: word,
    author_en: word,
    demographic: word,
    genres: words,
    tags: words,
    status: word,
    volumes: count,
    price_jpy: count,
    popularity_rank: count,
    release_day: day,
    next_release_day: day,
    next_volume: count,
    magazine: word,
    weekday: word,
  })
  .readonly();

export type CatalogueDocument = z.output<typeof catalogueDocument>;

/** Whoever looks around, asks for advice or buys wants to hear of titles. */
const TITLE_INTENTS: readonly Intent[] = [
  'browsing',
  'recommendation',
  'product_search',
  'wishlist',
  'purchase',
  'multi_turn',
];

/** The catalogue as one tenant's public documents. */
export function catalogueDocuments(catalogue: Catalogue, tenant: string): CatalogueDocument[] {
  return [
    ...catalogue.titles.map((title) => titleDocument(title, tenant)),
    ...catalogue.faq.map((entry) => faqDocument(entry, tenant)),
  ];
}

/** The words of a document that its vector is made of, in both languages. */
export function embeddingText(document: CatalogueDocument): string {
  const { title, title_en, author = [], author_en = [], tags = [], genres = [] } = document;
  const facts = [title, title_en, author, author_en, tags, genres].flat();
  return [...facts, document.text, document.text_en].join('\n');
}

function titleDocument(title: MangaTitle, tenant: string): CatalogueDocument {
  const { synopsis_ja, synopsis_en, next_release: next, weekly, ...facts } = title;
  return {
    ...facts,
    tenant,
    scope: 'public',
    kind: 'title',
    intent: TITLE_INTENTS,
    text: synopsis_ja,
    text_en: synopsis_en,
    ...(next ? { next_release_day: next.day, next_volume: next.volume } : {}),
    ...(weekly ?? {}),
  };
}

function faqDocument(entry: FaqEntry, tenant: string): CatalogueDocument {
  return {
    id: entry.id,
    tenant,
    scope: 'public',
    kind: 'faq',
    // A follow-up may be about anything said before.
    intent: [...entry.intents, 'multi_turn'],
    topic: entry.topic,
    title: entry.question_ja,
    title_en: entry.question_en,
    text: entry.answer_ja,
    text_en: entry.answer_en,
  };
}
