import { Agent, createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { forward, refuse, refuseUpgrade, tunnel } from '../elastic-load-balancing/forward';
import type { Route } from '../elastic-load-balancing/forward';
import type { Listening } from '../wire/listen';
import { roomOf } from './front-door-route';
import type { Room } from './front-door-route';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What the front door leads to, once the platform is up. */
interface Rooms {
  readonly chatUrl: string;
  readonly apiUrl: string;
  readonly shop: Answer;
}

export interface FrontDoorOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Answer from the beginning, before the platform is up. */
  readonly page: Answer;
  readonly status: Answer;
}

/** The platform's one address, as CloudFront is in AWS: the page, the chat and the API share an origin. */
export interface FrontDoor extends Listening {
  open(rooms: Rooms): void;
}

const IDLE_MS = 600_000;

export async function startFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const sockets = new Set<Socket>();
  let rooms: Rooms | undefined;

  const routeTo = (room: Room): Route | undefined => {
    const url = room === 'chat' ? rooms?.chatUrl : room === 'api' ? rooms?.apiUrl : undefined;
    if (url === undefined) return undefined;
    const { hostname, port } = new URL(url);
    return {
      host: hostname,
      port: Number(port),
      agent,
      idleMs: IDLE_MS,
      onSocket: () => undefined,
    };
  };

  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const room = roomOf(request.url ?? '/');
    const route = routeTo(room);
    if (!isForUs(request)) refuse(response, 421);
    else if (room === 'page') options.page(request, response);
    else if (room === 'status') options.status(request, response);
    else if (room === 'shop' && rooms) rooms.shop(request, response);
    else if (route) forward(request, response, route);
    else refuse(response, 503);
  });
  server.timeout = 0;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, client, head) => {
    const route = routeTo(roomOf(request.url ?? '/'));
    if (route && isForUs(request)) tunnel(request, client, head, route);
    else refuseUpgrade(client);
  });

  const port = await listening(server, options.port);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    open: (opened) => void (rooms = opened),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        agent.destroy();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A page elsewhere whose name was pointed at this machine is not ours, however it got here. */
function isForUs({ headers }: IncomingMessage): boolean {
  return /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '');
}

async function listening(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((cause: unknown) => {
    throw new Error(
      `Port ${port} is taken, perhaps by another Matsuri. Choose another: npm start -- --port ${port + 1}`,
      { cause },
    );
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP address');
  return address.port;
}
