import { drainOnSignal } from '@matsuri/resilience';
import { loadConfig } from './config';
import { createContext } from './context';
import { startService } from './service';

async function main(): Promise<void> {
  const config = loadConfig(process.env, Date.now());
  const context = createContext(config);
  if (config.warnings.length > 0) {
    const ids = config.warnings.map(({ id }) => id);
    context.log.warn('the configuration has warnings, which cdk synth explains', { ids });
  }
  const service = await startService(config, context);
  const { port, healthPort } = service;
  context.log.info('listening', { port, healthPort });
  const report = await drainOnSignal(process, service.drain);
  context.log.info('drained', { ...report });
  process.exit(report.outcome === 'clean' ? 0 : 1);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'failed'}\n`);
  process.exit(1);
});
