/** Tickets over a link to Redis that lives, and one that hangs. */
import { createPepperRing } from '@matsuri/database';
import {
  requireRedis,
  startFaultProxy,
  startRedis,
  type FaultProxy,
  type RunningRedis,
} from '@matsuri/local';
import { LIMIT_REDIS_OPTIONS } from '@matsuri/resilience';
import { Redis } from 'ioredis';
import { createTickets, type Tickets } from './tickets';

const CLAIMS = { tenantId: 't', userId: 'u', sessionId: 's', tokenId: 'k' };
const ring = createPepperRing([{ version: 1, secret: Buffer.alloc(32, 7) }]);

let server: RunningRedis;
let link: FaultProxy;
let redis: Redis;
let tickets: Tickets;

beforeAll(async () => {
  server = requireRedis(await startRedis());
  const { hostname, port } = new URL(server.url);
  link = await startFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  redis = new Redis(link.through(server.url), LIMIT_REDIS_OPTIONS);
  redis.on('error', () => undefined);
  await new Promise((resolve) => redis.once('ready', resolve));
  tickets = createTickets({ ring, lifetimeMs: 60_000, redis, nowMs: Date.now });
});
afterEach(() => link.heal());
afterAll(async () => {
  redis.disconnect();
  await link.close();
  await server.close();
});

test('a ticket is good once among all tasks', async () => {
  const elsewhere = createTickets({ ring, lifetimeMs: 60_000, redis, nowMs: Date.now });
  const ticket = await tickets.issue(CLAIMS);
  expect(await elsewhere.redeem(ticket)).toEqual(CLAIMS);
  expect(await tickets.redeem(ticket)).toBeUndefined();
});

test('a Redis that hangs holds up no ticket: it is issued, and good once here', async () => {
  const before = await tickets.issue(CLAIMS);
  link.add({ type: 'timeout' });
  const since = await tickets.issue(CLAIMS);
  for (const ticket of [before, since]) {
    expect(await tickets.redeem(ticket)).toEqual(CLAIMS);
    expect(await tickets.redeem(ticket)).toBeUndefined();
  }
});
