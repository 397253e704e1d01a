import type { ChatAlias, Intent } from '@matsuri/contract';
import type { Caller } from '../../gateway/gateway';
import type { CachedAnswer } from './core/cached-answer';
import type { Passage } from './core/passage';
import type { RetrievalWish } from './core/retrieval-query';

/** Says what a question wants, on somebody's behalf. */
export type IntentReader = (text: string, signal: AbortSignal, caller: Caller) => Promise<Intent>;

/** What is to be embedded, and who pays for it. */
export interface EmbeddingWish {
  readonly text: string;
  readonly caller: Caller;
  /** The message it is done for. */
  readonly requestId: string;
}

/** The place of a question among meanings. */
export type Embedder = (wish: EmbeddingWish, signal: AbortSignal) => Promise<readonly number[]>;

/** The best of the tenant's passages, best first. */
export type Retriever = (wish: RetrievalWish, signal: AbortSignal) => Promise<readonly Passage[]>;

/** What sells best at a tenant's. */
export type PopularTitles = (
  tenantId: string,
  size: number,
  signal: AbortSignal,
) => Promise<readonly Passage[]>;

/** A question as the cache knows it. */
export interface CacheQuery {
  readonly tenantId: string;
  readonly userId: string;
  readonly locale: 'ja' | 'en';
  readonly text: string;
}

export interface AnswerCache {
  /** What is kept for this question, of this user's own first. */
  read(query: CacheQuery): Promise<CachedAnswer | undefined>;
  write(
    query: CacheQuery,
    model: ChatAlias,
    answer: CachedAnswer,
    keepSeconds: number,
  ): Promise<void>;
}
