import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultProxy, Toxic } from '@matsuri/local';
import type { Cluster } from '../cluster';
import { redisCommand } from '../redis-command';
import type { Fault } from './fault-plan';

/** Does something to a cluster and undoes it after its time; resolves when all is well again. */
export async function inject(cluster: Cluster, fault: Fault): Promise<void> {
  const { target, kind } = fault;
  const tell = (event: 'injected' | 'healed'): void => {
    cluster.history.append({
      op: 'fault',
      type: 'info',
      actor: 'faults',
      event,
      id: target,
      detail: kind,
    });
  };
  tell('injected');
  await act(cluster, fault);
  tell('healed');
}

function act(cluster: Cluster, fault: Fault): Promise<unknown> {
  switch (fault.target) {
    case 'gateway':
      return hurtGateway(cluster, fault.kind, fault);
    case 'redis':
      return hurtRedis(cluster, fault.kind, fault.forMs);
    case 'postgres':
      return hurtPostgres(cluster, fault.kind, fault.forMs);
    case 'bedrock':
      return hurtBedrock(cluster, fault.kind, fault.forMs);
  }
}

async function hurtGateway(
  cluster: Cluster,
  kind: Extract<Fault, { target: 'gateway' }>['kind'],
  { place, forMs }: Fault,
): Promise<void> {
  const gateway = cluster.gateway(place);
  switch (kind) {
    case 'kill':
      await gateway.kill();
      await sleep(forMs);
      break;
    case 'drain':
      await gateway.drain();
      break;
  }
  await cluster.replace(place);
}

async function hurtRedis(
  { redis, links }: Cluster,
  kind: Extract<Fault, { target: 'redis' }>['kind'],
  forMs: number,
): Promise<void> {
  switch (kind) {
    case 'down':
      return down(links.redis, forMs);
    case 'black-hole':
      return toxic(links.redis, { type: 'timeout' }, forMs);
    case 'slow':
      return toxic(links.redis, { type: 'latency', latencyMs: 150, jitterMs: 100 }, forMs);
    case 'cut':
      links.redis.cutConnections();
      return;
    case 'flush':
      await redisCommand(redis.url, 'FLUSHALL');
      return;
    case 'script-flush':
      await redisCommand(redis.url, 'SCRIPT', 'FLUSH');
      return;
    case 'restart-empty':
      await redis.kill();
      await sleep(forMs);
      return redis.restart();
    case 'freeze':
      await redis.pause();
      await sleep(forMs);
      return redis.resume();
  }
}

const TERMINATE = `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
 WHERE datname = current_database() AND application_name <> 'harness'
`;

async function hurtPostgres(
  { postgresServer, pool, links }: Cluster,
  kind: Extract<Fault, { target: 'postgres' }>['kind'],
  forMs: number,
): Promise<void> {
  switch (kind) {
    case 'down':
      return down(links.postgres, forMs);
    case 'black-hole':
      return toxic(links.postgres, { type: 'timeout' }, forMs);
    case 'slow':
      return toxic(links.postgres, { type: 'latency', latencyMs: 100, jitterMs: 80 }, forMs);
    case 'cut':
      links.postgres.cutConnections();
      return;
    case 'answers-lost':
      return toxic(
        links.postgres,
        { type: 'limit_data', direction: 'downstream', bytes: 0 },
        forMs,
      );
    case 'crash':
      await postgresServer?.stopImmediately();
      await sleep(forMs);
      return postgresServer?.restart();
    case 'terminate-sessions':
      await pool.query({ text: TERMINATE });
      return;
  }
}

async function hurtBedrock(
  { links }: Cluster,
  kind: Extract<Fault, { target: 'bedrock' }>['kind'],
  forMs: number,
): Promise<void> {
  switch (kind) {
    case 'cut':
      links.bedrock.cutConnections();
      return;
    case 'slow':
      return toxic(links.bedrock, { type: 'latency', latencyMs: 30, jitterMs: 20 }, forMs);
    case 'slicer':
      return toxic(links.bedrock, { type: 'slicer', averageBytes: 40, variationBytes: 30 }, forMs);
  }
}

async function down(link: FaultProxy, forMs: number): Promise<void> {
  await link.down();
  await sleep(forMs);
  await link.up();
}

async function toxic(link: FaultProxy, spoils: Toxic, forMs: number): Promise<void> {
  const added = link.add(spoils);
  await sleep(forMs);
  link.remove(added);
}
