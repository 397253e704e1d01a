import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** The part of an ioredis client, single or cluster, that scripts need. */
export type ScriptClient = Pick<Redis, 'eval' | 'evalsha'>;

const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');

/** A Lua script called by its digest; a server that lost it (restart, SCRIPT FLUSH, failover) gets the text again. */
export class RedisScript {
  readonly #lua: string;
  readonly #sha: string;

  constructor(lua: string) {
    this.#lua = lua;
    this.#sha = createHash('sha1').update(lua).digest('hex');
  }

  async run(
    redis: ScriptClient,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return redis.eval(this.#lua, keys.length, ...keys, ...args);
    }
  }
}

/** A script's reply as the whole numbers it must be. */
export function integersOf(reply: unknown, count: number): readonly number[] {
  if (Array.isArray(reply) && reply.length === count && reply.every(isInteger)) return reply;
  throw new TypeError(`a script should have replied with ${count} integers`);
}

const isInteger = (value: unknown): value is number => Number.isInteger(value);
