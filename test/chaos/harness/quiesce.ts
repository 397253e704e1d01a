import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster';
import type { StillOpen } from './evidence';
import { redisCommand } from './redis-command';

/** What is open in a cluster that has done nothing yet. */
export interface Baseline {
  readonly fds: ReadonlyMap<string, number>;
  readonly redisClients: number;
}

// Five, and as many connections as the pool to the database may have opened since.
const FD_SLACK = 5 + 3;
const CONNECTIONS_PER_GATEWAY = 4;
const POLL_MS = 250;

/** To be taken once every gateway has answered something, so that its lasting connections are there. */
export async function takeBaseline(cluster: Cluster): Promise<Baseline> {
  return {
    fds: new Map(cluster.gateways.map((gateway) => [gateway.name, gateway.fds()])),
    redisClients: await redisClients(cluster),
  };
}

/** Waits until nothing is open that need not be, for so long at most; returns what it saw last. */
export async function quiesce(
  cluster: Cluster,
  baseline: Baseline,
  timeoutMs: number,
): Promise<readonly StillOpen[]> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const open = await lookAround(cluster, baseline);
    const isQuiet = open.every(({ count, allowed }) => count <= allowed);
    if (isQuiet || performance.now() > untilMs) return open;
    await sleep(POLL_MS);
  }
}

async function lookAround(cluster: Cluster, baseline: Baseline): Promise<StillOpen[]> {
  const live = cluster.gateways.filter(({ serving }) => serving);
  // A process that was started later has no baseline of its own; it is like the others.
  const usual = Math.max(...baseline.fds.values());
  const database = await databaseReading(cluster);
  return [
    ...live.flatMap((gateway) => [
      {
        what: `file descriptors of ${gateway.name}`,
        count: gateway.fds(),
        allowed: (baseline.fds.get(gateway.name) ?? usual) + FD_SLACK,
      },
      {
        what: `clients of ${gateway.name}`,
        count: connectionsTo(new URL(gateway.url).port),
        allowed: 0,
      },
    ]),
    { what: 'calls at the model', count: cluster.bedrock.overlap().running, allowed: 0 },
    { what: 'rows reserved', count: database.reserved, allowed: 0 },
    { what: 'transactions left open', count: database.inTransaction, allowed: 0 },
    {
      what: 'database connections',
      count: database.connections,
      allowed: live.length * CONNECTIONS_PER_GATEWAY,
    },
    {
      what: 'Redis connections',
      count: await redisClients(cluster),
      allowed: baseline.redisClients,
    },
  ];
}

async function redisClients({ redis }: Cluster): Promise<number> {
  const listed = await redisCommand(redis.url, 'CLIENT', 'LIST');
  // Our own connection is one of them.
  return listed.trim().split('\n').length - 1;
}

const OPEN_IN_DATABASE = `
SELECT (SELECT count(*)::int FROM usage_attempts WHERE status = 'reserved') AS reserved,
       count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS "inTransaction",
       count(*) FILTER (WHERE application_name <> 'harness')::int AS connections
  FROM pg_stat_activity
 WHERE datname = current_database()
`;

async function databaseReading({ pool }: Cluster) {
  const [reading] = await pool.query<{
    reserved: number;
    inTransaction: number;
    connections: number;
  }>({ text: OPEN_IN_DATABASE });
  if (!reading) throw new Error('PostgreSQL answered nothing');
  return reading;
}

const ESTABLISHED = '01';

/** Connections that somebody has to a port of this machine, from the kernel's own table. */
function connectionsTo(port: string): number {
  const wanted = Number(port).toString(16).toUpperCase().padStart(4, '0');
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFileSync(path, 'utf8'));
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${wanted}`) && state === ESTABLISHED)
    .length;
}
