import { bedrockCapacitySet, CHAT_ALIASES, type ChatAlias } from '@matsuri/contract';
import type { Redis } from 'ioredis';
import type { Throughput } from './core/provisioned-share';
import type { CapacitySets } from './target-plan';

/** Reads the provisioned throughputs the autoscaler keeps, again and again, beside the calls that use them. */
export interface CapacityReader extends CapacitySets {
  close(): void;
}

// Far below the record's lifetime; a new throughput serves this much later at most.
const READ_EVERY_MS = 5_000;

export function createCapacityReader(redis: Pick<Redis, 'mget'> | undefined): CapacityReader {
  const sets = new Map<ChatAlias, readonly Throughput[]>();
  if (!redis) return { throughputsOf: () => [], close: () => undefined };

  const read = async (): Promise<void> => {
    const stored = await redis
      .mget(CHAT_ALIASES.map((alias) => bedrockCapacitySet.key(alias)))
      // What cannot be read is absent, which means on demand.
      .catch((): (string | null)[] => []);
    CHAT_ALIASES.forEach((alias, at) => {
      sets.set(alias, bedrockCapacitySet.decode(stored[at])?.throughputs ?? []);
    });
  };
  void read();
  const timer = setInterval(() => void read(), READ_EVERY_MS);
  timer.unref();
  return {
    throughputsOf: (alias) => sets.get(alias) ?? [],
    close: () => clearInterval(timer),
  };
}
