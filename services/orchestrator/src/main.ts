import { drainOnSignal } from '@matsuri/resilience';
import { loadConfig } from './config';
import { startProgram } from './program';

async function main(): Promise<void> {
  const { drain, departureDue, log } = await startProgram(loadConfig(process.env, Date.now()));
  const departed = departureDue.then((reason) => {
    log.info('time to go', { reason });
    return drain.begin();
  });
  const report = await Promise.race([drainOnSignal(process, drain), departed]);
  log.info('drained', { ...report });
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
