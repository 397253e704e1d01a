import { METRICS, type Intent } from '@matsuri/contract';
import type { Scope } from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Question, SessionStore, Turn } from '../ports';
import type { CachedAnswer } from './core/cached-answer';
import type { Passage } from './core/passage';
import type { RetrievalWish } from './core/retrieval-query';
import type { Downstream } from './downstream';
import type { Downstreams } from './downstreams';
import type { AnswerCache, CacheQuery, Embedder, IntentReader, Retriever } from './ports';

/** What became of a branch; a failed one has been counted and told. */
export type Found<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

export interface BranchesOptions {
  readonly downstreams: Downstreams;
  readonly sessions: SessionStore;
  readonly intent: IntentReader;
  readonly embed: Embedder;
  readonly retrieve: Retriever;
  /** @default nothing is cached */
  readonly cache?: AnswerCache;
  readonly historyTurns: number;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'debug'>;
}

/** The branches of the fan-out. One that fails fails no other: it says so, and the answer goes on without it. */
export class Branches {
  readonly #options: BranchesOptions;

  constructor(options: BranchesOptions) {
    this.#options = options;
  }

  intent(question: Question, scope: Scope): Promise<Found<Intent>> {
    const { intent, downstreams } = this.#options;
    return this.#run(downstreams.intent, scope, (signal) =>
      intent(question.text, signal, question.caller),
    );
  }

  history(question: Question, scope: Scope): Promise<Found<readonly Turn[]>> {
    const { sessions, historyTurns, downstreams } = this.#options;
    // The store goes through its own downstreams.
    return this.#settle(downstreams.dynamodb.name, scope, () =>
      sessions.lastTurns(question.session, historyTurns, scope.signal),
    );
  }

  cached(query: CacheQuery, scope: Scope): Promise<Found<CachedAnswer | undefined>> {
    const { cache, downstreams } = this.#options;
    if (!cache) return Promise.resolve({ ok: true, value: undefined });
    return this.#run(downstreams.redis, scope, () => cache.read(query));
  }

  embedding(question: Question, scope: Scope): Promise<Found<readonly number[]>> {
    const { embed, downstreams } = this.#options;
    return this.#run(downstreams.embedding, scope, (signal) => {
      const { text, caller, messageId: requestId } = question;
      return embed({ text, caller, requestId }, signal);
    });
  }

  retrieve(wish: RetrievalWish, scope: Scope): Promise<Found<readonly Passage[]>> {
    const { retrieve, downstreams } = this.#options;
    return this.#run(downstreams.opensearch, scope, (signal) => retrieve(wish, signal));
  }

  #run<T>(
    downstream: Downstream,
    scope: Scope,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<Found<T>> {
    return this.#settle(downstream.name, scope, () => downstream.run(scope, call));
  }

  async #settle<T>(downstream: string, scope: Scope, call: () => Promise<T>): Promise<Found<T>> {
    try {
      return { ok: true, value: await call() };
    } catch (err) {
      // Whoever was told to stop has not failed.
      if (!scope.signal.aborted) {
        const { metrics, log } = this.#options;
        metrics.record(METRICS.breakerFallbacks, 1, { Downstream: downstream });
        log.debug('a branch failed', { downstream, err });
      }
      return { ok: false };
    }
  }
}
