import type { CacheScope, Intent } from '@matsuri/contract';
import { UNBOUNDED } from '@matsuri/resilience';
import type { Question } from '../ports';
import type { AnswerWorld } from './answer-world';
import { PROMPT_VERSION } from './core/prompt';
import type { Generation } from './generation';
import type { CacheQuery } from './ports';

/** An answer that a model gave whole, and to whom it may be given again. */
export interface Answered {
  readonly generation: Generation;
  readonly question: Question;
  readonly query: CacheQuery;
  readonly scope: CacheScope | undefined;
  readonly intent: Intent;
  readonly text: string;
  readonly freshSeconds: number;
}

// An entry outlives its freshness: an older answer is better than none while no model answers.
const KEPT_WHEN_STALE_SECONDS = 3_600;

/** Keeps an answer for those who ask the same. */
export async function cacheAnswer(
  { generation, question, query, scope, intent, text, freshSeconds }: Answered,
  { cache, downstreams }: Pick<AnswerWorld, 'cache' | 'downstreams'>,
): Promise<void> {
  if (!cache || !scope || text === '') return;
  const entry = {
    text,
    intent,
    sources: [...generation.sources],
    tenantId: query.tenantId,
    userId: scope.kind === 'user' ? scope.userId : null,
    model: generation.model,
    servedBy: generation.servedBy.name,
    promptVersion: PROMPT_VERSION,
    madeFor: question.messageId,
    writtenAtMs: Date.now(),
    freshSeconds,
  };
  const keepSeconds = freshSeconds + KEPT_WHEN_STALE_SECONDS;
  await downstreams.redis.run(UNBOUNDED, () =>
    cache.write(query, generation.model, entry, keepSeconds),
  );
}
