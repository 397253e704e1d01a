/** The fixed label set of intent classification. */
export const INTENTS = [
  'browsing',
  'recommendation',
  'order_status',
  'product_search',
  'faq',
  'wishlist',
  'multi_turn',
  'purchase',
  'order_confirmation',
] as const;

export type Intent = (typeof INTENTS)[number];

/** Retrieval goes on with this one when classification failed. */
export const DEFAULT_INTENT: Intent = 'browsing';
