/**
 * The autoscaler as it ships, on the clock of the stand-ins: a night passes in half a minute. It loads first and then
 * waits for its world, so that no night is lost to starting up.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaledClock, type ClockOrigin } from '@matsuri/local';
import { drainOnSignal } from '@matsuri/resilience';
import { loadConfig } from '../../../src/config';
import { startProgram } from '../../../src/program';

async function main(): Promise<void> {
  process.stdout.write(`${JSON.stringify({ msg: 'waiting for a world' })}\n`);
  Object.assign(process.env, await worldIn(process.env['WORLD_FILE'] ?? ''));
  const origin = JSON.parse(process.env['CLOCK_ORIGIN'] ?? '') as ClockOrigin;
  const clock = scaledClock({ origin });
  // Whole milliseconds, as every clock of a machine gives them.
  const nowMs = (): number => Math.round(clock.nowMs());
  const { drain } = await startProgram(loadConfig(process.env, nowMs()), {
    nowMs,
    monotonicMs: nowMs,
    after: (delayMs, run) => clock.after(delayMs, run),
  });
  await drainOnSignal(process, drain);
  process.exit(0);
}

async function worldIn(file: string): Promise<Record<string, string>> {
  for (;;) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
    } catch {
      await sleep(10);
    }
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
