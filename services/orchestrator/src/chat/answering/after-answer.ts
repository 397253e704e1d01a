import { randomUUIDv7 } from 'node:crypto';
import type { CacheScope, Intent } from '@matsuri/contract';
import { UNBOUNDED } from '@matsuri/resilience';
import type { Question } from '../ports';
import type { AnswerWorld } from './answer-world';
import { PROMPT_VERSION } from './core/prompt';
import type { Generation } from './generation';
import type { CacheQuery } from './ports';

/** An answer that a model gave whole. */
export interface Answered {
  readonly generation: Generation;
  readonly scope: CacheScope | undefined;
  /** Another request's stream was shared. */
  readonly followed: boolean;
  readonly cacheable: boolean;
  readonly intent: Intent;
}

interface AfterAnswer {
  readonly question: Question;
  readonly query: CacheQuery;
  readonly text: string;
  readonly freshSeconds: number;
  readonly world: Pick<AnswerWorld, 'cache' | 'ledger' | 'downstreams' | 'finish'>;
}

// An entry outlives its freshness: an older answer is better than none while no model answers.
const KEPT_WHEN_STALE_SECONDS = 3_600;

/** What is done when an answer is out: the cache is filled, a shared one is put on record. */
export function afterAnswer(answered: Answered, after: AfterAnswer): void {
  const { world } = after;
  if (answered.followed) world.finish('coalesced', () => recordCoalesced(answered, after));
  if (answered.cacheable) world.finish('cache', () => fillCache(answered, after));
}

async function fillCache({ generation, scope, intent }: Answered, after: AfterAnswer) {
  const { question, query, text, freshSeconds, world } = after;
  const { cache } = world;
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
  await world.downstreams.redis.run(UNBOUNDED, () =>
    cache.write(query, generation.model, entry, keepSeconds),
  );
}

function recordCoalesced({ generation }: Answered, { question, world }: AfterAnswer) {
  const { caller, messageId } = question;
  const { target } = generation.servedBy;
  return world.ledger.recordCoalesced({
    attemptId: randomUUIDv7(),
    requestId: messageId,
    tenantId: caller.tenantId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    requestedModel: generation.model,
    servedModel: target.profile,
    region: target.region,
    target: 'on-demand',
  });
}
