import {
  bedrockCapacitySet,
  mitigationFlags,
  preScaleSignal,
  prewarmRequest,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { RedisScript } from '@matsuri/resilience';
import type { Redis } from 'ioredis';
import type { SharedRecords } from '../ports';

/** A process that lost its lease must not speak over its successor. */
const PUT_UNLESS_OLDER = new RedisScript(`
local stored = redis.call('GET', KEYS[1])
if stored then
  local readable, record = pcall(cjson.decode, stored)
  if readable and type(record) == 'table' and tonumber(record.epoch or 0) > tonumber(ARGV[1]) then
    return 0
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
`);

const SCAN_COUNT = 200;

/** Records in Redis that orchestrators read; each ends by itself when nobody renews it. */
export function redisRecords(redis: Redis, configuration: PlatformConfiguration): SharedRecords {
  const put = async (key: string, text: string, epoch: number, seconds: number): Promise<void> => {
    const kept = await PUT_UNLESS_OLDER.run(redis, [key], [epoch, text, seconds]);
    if (kept !== 1) throw new Error(`${key} was written under a newer epoch than ${epoch}`);
  };

  return {
    async preScaleSignals() {
      const stored = await valuesOf(redis, `${preScaleSignal.key('')}*`);
      return stored.flatMap((text) => preScaleSignal.decode(text) ?? []);
    },
    putMitigations: ({ active, cacheSeconds }, epoch) =>
      put(
        mitigationFlags.key(),
        mitigationFlags.encode({ active: [...active], cacheSeconds, epoch }),
        epoch,
        mitigationFlags.ttlSeconds(configuration),
      ),
    putCapacitySet: (alias, set, epoch) =>
      put(
        bedrockCapacitySet.key(alias),
        bedrockCapacitySet.encode({ alias, throughputs: [...set], epoch }),
        epoch,
        bedrockCapacitySet.ttlSeconds(configuration),
      ),
    async putPrewarm({ requestId, event, titles, notAfterMs }) {
      const record = prewarmRequest.encode({ requestId, event, titles, notAfterMs });
      await redis.set(prewarmRequest.key(), record, 'EX', prewarmRequest.ttlSeconds(configuration));
    },
  };
}

async function valuesOf(redis: Redis, pattern: string): Promise<readonly (string | null)[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return keys.length === 0 ? [] : redis.mget(keys);
}

/** Where there is no Redis nobody can be told; mitigations and sets are absent, which is safe. */
export const NO_RECORDS: SharedRecords = {
  preScaleSignals: () => Promise.resolve([]),
  putMitigations: () => Promise.resolve(),
  putCapacitySet: () => Promise.resolve(),
  putPrewarm: () => Promise.resolve(),
};
