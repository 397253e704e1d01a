import { drainOnSignal } from '@matsuri/resilience';
import { loadConfig } from './config';
import { startProgram } from './program';

async function main(): Promise<void> {
  const { drain, servedEnough, log } = await startProgram(loadConfig(process.env, Date.now()));
  const recycled = servedEnough.then(() => {
    log.info('served enough requests, making room for a fresh process');
    return drain.begin();
  });
  const report = await Promise.race([drainOnSignal(process, drain), recycled]);
  log.info('drained', { ...report });
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
