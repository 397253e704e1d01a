import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { bridge } from './bridge';
import type { Address, Bridge } from './bridge';
import { subSeed } from './core/random';
import { nonsenseIn } from './core/toxic';
import type { ActiveToxic, Direction, Toxic } from './core/toxic';

export interface FaultProxyOptions {
  /** The server at the far end of the link. */
  readonly upstream: Address;
  /**
   * Decides jitter and slices; the same seed and the same traffic give the same faults.
   *
   * @default 1
   */
  readonly seed?: number;
}

export interface FaultProxyStats {
  readonly acceptedConnections: number;
  readonly openConnections: number;
  /** Bytes passed on, by direction. */
  readonly passedBytes: Readonly<Record<Direction, number>>;
  /** Bytes read and not yet passed on; bounded by what each direction may read ahead. */
  readonly bufferedBytes: number;
}

/** One link to a server, on a loopback port, that can be made to misbehave while connections live. */
export interface FaultProxy {
  readonly port: number;
  /** The same address, by way of this proxy. */
  through(url: string): string;
  /** Puts a toxic on the link, for old connections and new ones; returns it, to be removed by. */
  add<T extends Toxic>(toxic: T): T;
  remove(toxic: Toxic): void;
  /** Removes every toxic. */
  heal(): void;
  /** Resets every connection, on both sides. */
  cutConnections(): void;
  /** Resets every connection and refuses new ones, as a server that is not running does. */
  down(): Promise<void>;
  up(): Promise<void>;
  stats(): FaultProxyStats;
  close(): Promise<void>;
}

/** Starts a proxy without any toxic: what goes in comes out. */
export async function startFaultProxy({
  upstream,
  seed = 1,
}: FaultProxyOptions): Promise<FaultProxy> {
  let toxics: readonly ActiveToxic[] = [];
  const bridges = new Set<Bridge>();
  const passedBytes = { upstream: 0, downstream: 0 };
  let acceptedConnections = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const connection = bridge(client, {
      upstream,
      seed: subSeed(seed, acceptedConnections),
      toxics: () => toxics,
      onPassed: (direction, bytes) => (passedBytes[direction] += bytes),
    });
    acceptedConnections += 1;
    bridges.add(connection);
    void connection.closed.then(() => bridges.delete(connection));
  });
  const port = await listen(server, 0);

  const change = (next: readonly ActiveToxic[]): void => {
    toxics = next;
    for (const connection of bridges) connection.reconsider();
  };
  const cutConnections = (): void => {
    for (const connection of bridges) connection.cut('reset');
  };

  return {
    port,
    through(url) {
      const detour = new URL(url);
      detour.hostname = '127.0.0.1';
      detour.port = String(port);
      return detour.href;
    },
    add(toxic) {
      const nonsense = nonsenseIn(toxic);
      if (nonsense !== undefined) throw new RangeError(nonsense);
      change([...toxics, { toxic, addedAtMs: performance.now() }]);
      return toxic;
    },
    remove: (toxic) => change(toxics.filter((active) => active.toxic !== toxic)),
    heal: () => change([]),
    cutConnections,
    async down() {
      const refusing = stopListening(server);
      cutConnections();
      await refusing;
    },
    async up() {
      if (!server.listening) await listen(server, port);
    },
    stats: () => ({
      acceptedConnections,
      openConnections: bridges.size,
      passedBytes: { ...passedBytes },
      bufferedBytes: [...bridges].reduce((total, each) => total + each.bufferedBytes, 0),
    }),
    async close() {
      const ended = stopListening(server);
      for (const connection of bridges) connection.destroy();
      await ended;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address === null || typeof address === 'string' ? port : address.port);
    });
  });
}

function stopListening(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => server.close(() => resolve()));
}
