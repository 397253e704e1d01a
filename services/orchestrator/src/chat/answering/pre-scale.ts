import { preScaleSignal, type PlatformConfiguration } from '@matsuri/contract';
import type { Redis } from 'ioredis';

/** Tells the autoscaler of pools that fill up, for as long as they do. */
export interface PreScale {
  /** A pool is so full now; undefined: it is at ease again. */
  note(pool: string, utilisationPercent: number | undefined): void;
  close(): void;
}

export interface PreScaleOptions {
  readonly configuration: PlatformConfiguration;
  readonly redis: Pick<Redis, 'set'> | undefined;
  /** Names this task among others. */
  readonly taskId: string;
  /** Milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number;
}

export function createPreScale(options: PreScaleOptions): PreScale {
  const { configuration, redis, taskId, nowMs = Date.now } = options;
  const pressed = new Map<string, number>();
  const ttlSeconds = preScaleSignal.ttlSeconds(configuration);
  let timer: NodeJS.Timeout | undefined;

  const write = (): void => {
    const [fullest] = [...pressed].sort(([, a], [, b]) => b - a);
    if (fullest === undefined || redis === undefined) return;
    const [pool, percent] = fullest;
    const utilisationPercent = Math.min(100, percent);
    const signal = preScaleSignal.encode({ pool, utilisationPercent, atMs: nowMs() });
    // What cannot be said is not missed: the autoscaler reads the metrics as well.
    redis.set(preScaleSignal.key(taskId), signal, 'EX', ttlSeconds).catch(() => undefined);
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    note(pool, utilisationPercent) {
      if (utilisationPercent === undefined) pressed.delete(pool);
      else pressed.set(pool, utilisationPercent);
      if (pressed.size === 0) {
        stop();
        return;
      }
      write();
      timer ??= setInterval(write, (ttlSeconds * 1_000) / 3).unref();
    },
    close: stop,
  };
}

export interface SlotWatchOptions {
  readonly configuration: Pick<PlatformConfiguration, 'gateway' | 'pools'>;
  readonly gateway: { figures(): { readonly active: number } };
  readonly preScale: Pick<PreScale, 'note'>;
  readonly onPressure: (percent: number) => void;
}

const LOOK_EVERY_MS = 1_000;

/** The models' pool is their slots, which the gateway keeps: they are looked at now and then. */
export function watchSlots(options: SlotWatchOptions): { close(): void } {
  const { configuration, gateway, preScale, onPressure } = options;
  let pressed = false;
  const look = (): void => {
    const percent = Math.round(
      (100 * gateway.figures().active) / configuration.gateway.slotsPerTask,
    );
    const full = percent > configuration.pools.warnPercent;
    if (full && !pressed) onPressure(percent);
    if (full || pressed) preScale.note('bedrock', full ? percent : undefined);
    pressed = full;
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return { close: () => clearInterval(timer) };
}
