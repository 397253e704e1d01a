import type { Intent } from '@matsuri/contract';

import type { Catalogue, FaqEntry, MangaTitle } from './schema';

/** What an index holds of a title or an answer. Every document names its tenant and who may see it. */
export interface CatalogueDocument {
  readonly id: string;
  readonly tenant: string;
  readonly scope: 'public';
  readonly kind: 'title' | 'faq';
  /** Intents for which the document is worth retrieving. */
  readonly intent: readonly Intent[];
  readonly title: string;
  readonly title_en: string;
  readonly text: string;
  readonly text_en: string;
  readonly topic?: string;
  readonly reading?: string;
  readonly author?: string;
  readonly author_en?: string;
  readonly demographic?: string;
  readonly genres?: readonly string[];
  readonly tags?: readonly string[];
  readonly status?: string;
  readonly volumes?: number;
  readonly price_jpy?: number;
  readonly popularity_rank?: number;
  readonly release_day?: string;
  readonly next_release_day?: string;
  readonly next_volume?: number;
  readonly magazine?: string;
  readonly weekday?: string;
}

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
