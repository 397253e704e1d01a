import { startEngines } from '@matsuri/local';
import { forTeardown } from './running-engines';

/**
 * One set of real engines for the whole run, found by every worker through the environment. A run without
 * Redis fails here, saying what to install, instead of quietly testing less.
 */
export default async function setUp(): Promise<void> {
  const engines = await startEngines({ durable: false, onProgress: announce });
  forTeardown(engines);

  if (engines.redisUrl === undefined && process.env['MATSURI_WITHOUT_REDIS'] !== '1') {
    await engines.close();
    const anyway =
      'To run anyway, and see every suite that needs it fail, set MATSURI_WITHOUT_REDIS=1.';
    throw new Error(`${engines.withoutRedisBecause ?? 'No Redis.'} ${anyway}`);
  }
  if (engines.withoutRedisBecause !== undefined) announce(engines.withoutRedisBecause);

  if (engines.redisUrl !== undefined) process.env['REDIS_URL'] = engines.redisUrl;
  process.env['DATABASE_URL'] = engines.databaseUrl;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = engines.dynamodbUrl;
}

function announce(line: string): void {
  process.stderr.write(`${line}\n`);
}
