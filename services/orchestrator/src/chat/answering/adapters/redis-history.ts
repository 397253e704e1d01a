import { sessionKeys } from '@matsuri/contract';
import { RedisScript } from '@matsuri/resilience';
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { SessionRef, Turn } from '../../ports';

const turnsSchema = z.object({
  userId: z.string(),
  turns: z.array(
    z.object({
      messageId: z.string(),
      askedAtMs: z.number(),
      question: z.string(),
      answer: z.string(),
    }),
  ),
});

/** Fills what was missing, unless the turns have changed since: then the promise to fill is gone. */
const FILL = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return { 0 } end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return { 1 }
`);

const KEPT_SECONDS = 300;
const PROMISED_SECONDS = 10;
const PROMISE = 'filling:';

/** What was found: turns, or the right to put them there. */
type Found = { readonly kind: 'turns'; readonly turns: readonly Turn[] } | MissingTurns;

export interface MissingTurns {
  readonly kind: 'missing';
  fill(turns: readonly Turn[]): Promise<void>;
}

export type HistoryRedis = Pick<Redis, 'get' | 'set' | 'del' | 'evalsha' | 'eval'>;

/** The last turns of sessions, in front of the table. They are never older than the last append that it heard of. */
export class RedisHistory {
  readonly #redis: HistoryRedis;

  constructor(redis: HistoryRedis) {
    this.#redis = redis;
  }

  async read(session: SessionRef): Promise<Found> {
    const key = sessionKeys.history(session);
    const stored = await this.#redis.get(key);
    const known = stored === null || stored.startsWith(PROMISE) ? undefined : parsed(stored);
    if (known?.userId === session.userId) return { kind: 'turns', turns: known.turns };
    const promise = `${PROMISE}${randomUUID()}`;
    await this.#redis.set(key, promise, 'EX', PROMISED_SECONDS);
    return {
      kind: 'missing',
      fill: async (turns) => {
        const value = JSON.stringify({ userId: session.userId, turns });
        await FILL.run(this.#redis, [key], [promise, value, KEPT_SECONDS]);
      },
    };
  }

  async forget(session: SessionRef): Promise<void> {
    await this.#redis.del(sessionKeys.history(session));
  }
}

function parsed(stored: string): z.output<typeof turnsSchema> | undefined {
  try {
    return turnsSchema.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
}
