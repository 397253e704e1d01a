import { hash } from 'node:crypto';
import { answerKeys, CHAT_ALIASES, type CacheScope, type ChatAlias } from '@matsuri/contract';
import type { Redis } from 'ioredis';
import { cachedAnswerSchema, type CachedAnswer } from '../core/cached-answer';
import { PROMPT_VERSION } from '../core/prompt';
import { digestInput } from '../core/question-digest-input';
import type { AnswerCache, CacheQuery } from '../ports';

/** Answers in Redis. A look-up asks for the user's own and for public ones, of either model, at once. */
export function createRedisAnswerCache(redis: Pick<Redis, 'get' | 'set'>): AnswerCache {
  return {
    async read(query) {
      const scopes: readonly CacheScope[] = [
        { kind: 'user', userId: query.userId },
        { kind: 'public' },
      ];
      // One command each: in a cluster they live apart, and on one connection they share a write.
      const found = await Promise.all(
        scopes.flatMap((scope) =>
          CHAT_ALIASES.map(async (model) =>
            entryOf(await redis.get(keyOf(query, scope, model)), query, scope),
          ),
        ),
      );
      return found
        .filter((entry) => entry !== undefined)
        .reduce<CachedAnswer | undefined>(
          (best, entry) => (best && best.writtenAtMs >= entry.writtenAtMs ? best : entry),
          undefined,
        );
    },

    async write(query, model, answer, keepSeconds) {
      const scope: CacheScope =
        answer.userId === null ? { kind: 'public' } : { kind: 'user', userId: answer.userId };
      const key = keyOf(query, scope, model);
      await redis.set(key, JSON.stringify(answer), 'EX', Math.max(1, Math.ceil(keepSeconds)));
    },
  };
}

function keyOf(query: CacheQuery, scope: CacheScope, model: ChatAlias): string {
  return answerKeys.cached(query.tenantId, scope, questionDigest(query, model));
}

/** Stands for a question in keys. */
export function questionDigest({ locale, text }: CacheQuery, model: ChatAlias): string {
  return hash('sha256', digestInput(model, locale, text), 'hex');
}

/** An entry, if it is one and lies where it belongs. */
function entryOf(
  stored: string | null,
  { tenantId }: CacheQuery,
  scope: CacheScope,
): CachedAnswer | undefined {
  if (stored === null) return undefined;
  const entry = cachedAnswerSchema.safeParse(jsonOrUndefined(stored)).data;
  if (entry?.tenantId !== tenantId || entry.promptVersion !== PROMPT_VERSION) return undefined;
  return entry.userId === (scope.kind === 'user' ? scope.userId : null) ? entry : undefined;
}

function jsonOrUndefined(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
