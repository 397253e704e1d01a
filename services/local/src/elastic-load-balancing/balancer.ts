import { Agent, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Clock } from '../clock/clock';
import { routable, targetKey } from './core/target-health';
import type { Target } from './core/target-health';
import { forward, refuse, refuseUpgrade, tunnel } from './forward';
import type { Route } from './forward';
import type { TargetGroup } from './target-groups';

export interface BalancerOptions {
  /** @default a free port */
  readonly port?: number;
  /** Virtual time until a healthy target gets its first request. @default 5_000 */
  readonly spreadMs?: number;
  /** Real time of silence after which a connection is cut. @default 600_000 */
  readonly idleTimeoutRealMs?: number;
}

/** One address in front of the tasks of a target group. */
export interface Balancer {
  readonly url: string;
  readonly port: number;
  /** Requests and upgrades forwarded so far. */
  forwarded(): number;
  /** The ports of the targets behind upgraded connections that live now, one for each. */
  tunnels(): readonly number[];
  close(): Promise<void>;
}

const SPREAD_MS = 5_000;
const IDLE_TIMEOUT_MS = 600_000;

/**
 * Balances requests round robin over healthy targets, WebSockets included. As an Application Load
 * Balancer does, it leaves the connections of a draining target alone until the deregistration delay
 * ends, and then cuts them.
 */
export async function startBalancer(
  group: TargetGroup,
  clock: Clock,
  options: BalancerOptions = {},
): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const idleMs = options.idleTimeoutRealMs ?? IDLE_TIMEOUT_MS;
  const held = new Map<string, Set<Duplex>>();
  const clients = new Set<Socket>();
  const tunnels = new Map<Duplex, number>();
  let turn = 0;

  const nextTarget = (): Target | undefined => {
    const candidates = routable(group.targets(), options.spreadMs ?? SPREAD_MS, clock.nowMs());
    if (candidates.length === 0) return undefined;
    turn += 1;
    return candidates[turn % candidates.length];
  };

  const hold = (target: Target, socket: Duplex): void => {
    const sockets = held.get(targetKey(target)) ?? new Set();
    // Kept-alive sockets come back with every request.
    if (sockets.has(socket)) return;
    held.set(targetKey(target), sockets.add(socket));
    socket.once('close', () => sockets.delete(socket));
  };

  const routeTo = (target: Target): Route => ({
    host: target.id,
    port: target.port,
    agent,
    idleMs,
    onSocket: (socket) => hold(target, socket),
  });

  group.onUnused((target) => {
    for (const socket of held.get(targetKey(target)) ?? []) socket.destroy();
    held.delete(targetKey(target));
  });

  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const target = nextTarget();
    if (target === undefined) refuse(response, 503);
    else forward(request, response, routeTo(target));
  });
  server.timeout = 0;
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
  });
  server.on('upgrade', (request, client, head) => {
    const target = nextTarget();
    if (target === undefined) {
      refuseUpgrade(client);
      return;
    }
    tunnels.set(client, target.port);
    client.once('close', () => tunnels.delete(client));
    tunnel(request, client, head, routeTo(target));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    forwarded: () => turn,
    tunnels: () => [...tunnels.values()],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        agent.destroy();
        for (const socket of clients) socket.destroy();
        for (const sockets of held.values()) for (const socket of sockets) socket.destroy();
      }),
  };
}
