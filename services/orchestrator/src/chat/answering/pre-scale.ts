import { preScaleSignal, type PlatformConfiguration } from '@matsuri/contract';
import type { Logger } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';

export interface PreScaleOptions {
  readonly configuration: PlatformConfiguration;
  readonly redis: Pick<Redis, 'set' | 'del'> | undefined;
  /** Names this task among others. */
  readonly taskId: string;
  /** By pool, how much of it is in use now: 0 to 1. */
  readonly utilisations: () => Readonly<Record<string, number>>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number;
}

const LOOK_EVERY_MS = 1_000;
/** The first of these looks may have met a moment's crowd; after the last it has been there for two seconds. */
const LASTING_LOOKS = 3;

/** Tells the autoscaler of pools that stay full, for as long as they do. */
export function startPreScale(options: PreScaleOptions): { close(): void } {
  const { configuration, redis, taskId, log, nowMs = Date.now } = options;
  const { warnPercent } = configuration.pools;
  const key = preScaleSignal.key(taskId);
  const ttlSeconds = preScaleSignal.ttlSeconds(configuration);
  /** Looks in a row that found a pool full. */
  const full = new Map<string, number>();
  let raised = false;

  const lower = (): void => {
    if (!raised) return;
    raised = false;
    redis?.del(key).catch(() => undefined);
  };
  const look = (): void => {
    const lasting = [];
    for (const [pool, utilisation] of Object.entries(options.utilisations())) {
      const utilisationPercent = Math.min(100, Math.round(100 * utilisation));
      const looks = utilisationPercent > warnPercent ? (full.get(pool) ?? 0) + 1 : 0;
      full.set(pool, looks);
      if (looks === LASTING_LOOKS) log.warn('a pool stays full', { pool, utilisationPercent });
      if (looks >= LASTING_LOOKS) lasting.push({ pool, utilisationPercent });
    }
    const [fullest] = lasting.sort((a, b) => b.utilisationPercent - a.utilisationPercent);
    if (fullest === undefined) {
      lower();
      return;
    }
    raised = true;
    const signal = preScaleSignal.encode({ ...fullest, atMs: nowMs() });
    // What cannot be said is not missed: the autoscaler reads the metrics as well.
    redis?.set(key, signal, 'EX', ttlSeconds).catch(() => undefined);
  };

  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    close() {
      clearInterval(timer);
      lower();
    },
  };
}
