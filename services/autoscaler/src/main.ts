import { parseArgs } from 'node:util';
import { drainOnSignal } from '@matsuri/resilience';
import { loadConfig } from './config';
import { startProgram } from './program';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { plan: { type: 'boolean' } } });
  const given = values.plan === true ? { ...process.env, MODE: 'plan' } : process.env;
  const { drain, log } = await startProgram(loadConfig(given, Date.now()));
  const report = await drainOnSignal(process, drain);
  log.info('drained', { ...report });
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
