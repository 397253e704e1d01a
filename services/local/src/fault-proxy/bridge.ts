import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connectionFate } from './core/connection-fate';
import { seededRandom, subSeed } from './core/random';
import { spoils } from './core/toxic';
import type { ActiveToxic, Direction, Ending } from './core/toxic';
import { pumpFlow } from './flow-pump';

/** How long a side that was told of the end may take to agree. */
const LINGER_MS = 1_000;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a connection knows of the link it belongs to. */
export interface Link {
  readonly upstream: Address;
  readonly seed: number;
  readonly toxics: () => readonly ActiveToxic[];
  readonly onPassed: (direction: Direction, bytes: number) => void;
}

/** One client's connection through the proxy, and the one behind it. */
export interface Bridge {
  readonly bufferedBytes: number;
  readonly closed: Promise<void>;
  /** The toxics are different now. */
  reconsider(): void;
  cut(ending: Ending): void;
  destroy(): void;
}

/** Connects an accepted client with the server, by way of the link's toxics. */
export function bridge(client: Socket, link: Link): Bridge {
  const openedAtMs = performance.now();
  const server = connect({ ...link.upstream, allowHalfOpen: true, noDelay: true });
  const sockets = [client, server];
  let doom: NodeJS.Timeout | undefined;

  const pump = (direction: Direction, from: Socket, to: Socket) =>
    pumpFlow({
      from,
      to,
      random: seededRandom(subSeed(link.seed, direction === 'upstream' ? 0 : 1)),
      toxics: () => link.toxics().flatMap(({ toxic }) => (spoils(toxic, direction) ? [toxic] : [])),
      onPassed: (bytes) => link.onPassed(direction, bytes),
      cut: (ending) => cut(ending),
    });
  const pumps = [pump('upstream', client, server), pump('downstream', server, client)];

  const stop = (): void => {
    clearTimeout(doom);
    for (const each of pumps) each.stop();
  };
  const cut = (ending: Ending): void => {
    stop();
    for (const socket of sockets) (ending === 'reset' ? reset : closeGently)(socket);
  };
  const scheduleFate = (): void => {
    clearTimeout(doom);
    const fate = connectionFate(openedAtMs, link.toxics());
    if (fate === undefined) return;
    doom = setTimeout(() => cut(fate.ending), Math.max(0, fate.atMs - performance.now()));
  };
  scheduleFate();

  return {
    get bufferedBytes() {
      return pumps.reduce((total, each) => total + each.bufferedBytes, 0);
    },
    closed: Promise.all(sockets.map(closing)).then(stop),
    reconsider() {
      scheduleFate();
      for (const each of pumps) each.reconsider();
    },
    cut,
    destroy() {
      stop();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function reset(socket: Socket): void {
  if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}

/** Lets what was written arrive: a socket destroyed with unread input would reset it away. */
function closeGently(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.resume();
  socket.end();
  const impatience = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(impatience));
}
