import { mitigationFlags, type Mitigation, type PlatformConfiguration } from '@matsuri/contract';
import type { Redis } from 'ioredis';

interface MitigationState {
  readonly active: ReadonlySet<Mitigation>;
  /** How long answers are served from the cache. */
  readonly cacheSeconds: number;
  /** Of the autoscaler that said so; 0 when nobody did. */
  readonly epoch: number;
}

/** What is mitigated now, as the autoscaler says. */
export interface Mitigations {
  now(): MitigationState;
  close(): void;
}

export interface MitigationsOptions {
  readonly configuration: PlatformConfiguration;
  /** @default none: nothing is ever mitigated */
  readonly redis: Pick<Redis, 'get'> | undefined;
  /** @default 2000 */
  readonly readEveryMs?: number;
}

const READ_EVERY_MS = 2_000;

/** Reads the autoscaler's flags again and again, beside the answers that obey them. */
export function createMitigations(options: MitigationsOptions): Mitigations {
  const { configuration, redis, readEveryMs = READ_EVERY_MS } = options;
  const none: MitigationState = {
    active: new Set(),
    cacheSeconds: configuration.mitigations.cacheSeconds.normal,
    epoch: 0,
  };
  let state = none;
  let newestEpoch = 0;
  let heardAtMs = -Infinity;
  if (!redis) return { now: () => none, close: () => undefined };

  const read = async (): Promise<void> => {
    const stored = await redis.get(mitigationFlags.key());
    const flags = mitigationFlags.decode(stored);
    heardAtMs = performance.now();
    // A writer that lost its lease says what was true once.
    if (flags && flags.epoch < newestEpoch) return;
    newestEpoch = flags?.epoch ?? newestEpoch;
    state = flags
      ? {
          active: new Set(flags.active.map(({ mitigation }) => mitigation)),
          cacheSeconds: flags.cacheSeconds,
          epoch: flags.epoch,
        }
      : none;
  };
  // What cannot be read holds until it would have expired by itself.
  const tryRead = (): void => void read().catch(() => undefined);
  tryRead();
  const timer = setInterval(tryRead, readEveryMs).unref();
  const holdsMs = mitigationFlags.ttlSeconds(configuration) * 1_000;
  return {
    now: () => (performance.now() - heardAtMs <= holdsMs ? state : none),
    close: () => clearInterval(timer),
  };
}
