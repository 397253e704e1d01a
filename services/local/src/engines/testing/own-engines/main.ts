/** Starts one engine of each kind, tells their pids to its parent, and waits to be killed. */
import { startDynamodb } from '../../dynamodb/start-dynamodb';
import { startPostgres } from '../../postgres/start-postgres';
import { requireRedis, startRedis } from '../../redis/start-redis';

async function main(): Promise<void> {
  const engines = await Promise.all([
    startRedis().then(requireRedis),
    startPostgres({ durable: false }),
    startDynamodb(),
  ]);
  process.send?.(engines.map(({ pid }) => pid));
  setInterval(() => undefined, 60_000);
}

void main();
