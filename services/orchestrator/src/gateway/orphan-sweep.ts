import type { PlatformConfiguration } from '@matsuri/contract';
import type { Ledger } from '@matsuri/database';
import type { Logger } from '@matsuri/telemetry';

export interface OrphanSweepOptions {
  readonly ledger: Pick<Ledger, 'sweepOrphans'>;
  readonly settings: PlatformConfiguration['ledger'];
  readonly log: Pick<Logger, 'info' | 'debug'>;
  readonly random?: () => number;
}

/** Settles, every now and then, what processes that died have left open. Any task may; it does not matter which. */
export function sweepRegularly(options: OrphanSweepOptions): { stop(): void } {
  const { ledger, settings, log, random = Math.random } = options;
  let timer: NodeJS.Timeout;

  const sweep = async (): Promise<void> => {
    try {
      const result = await ledger.sweepOrphans(settings.orphanAfterSeconds * 1_000);
      if (result.swept > 0) log.info('orphaned attempts settled', { ...result });
    } catch (err) {
      log.debug('orphan sweep', { err });
    }
    arm();
  };
  // Anywhere in the period, so that tasks take turns by themselves.
  const arm = (): void => {
    timer = setTimeout(() => void sweep(), settings.sweepSeconds * 1_000 * (0.5 + random()));
    timer.unref();
  };
  arm();
  return { stop: () => clearTimeout(timer) };
}
