import { PATHS, serverFrameSchema } from '@matsuri/contract';
import type { ClientFrame, ServerFrame } from '@matsuri/contract';

import { backoffMs } from './core/backoff';
import type { Shop } from './shop';

export type LinkState = 'connecting' | 'online' | 'reconnecting';

export interface ConnectionOptions {
  readonly shop: Shop;
  /** A session to go on with. */
  readonly sessionId: string | undefined;
  /** What to say first on every new connection. */
  readonly greeting: () => readonly ClientFrame[];
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onState: (state: LinkState) => void;
  /** A session was opened; where there was one before, it could not be continued. */
  readonly onSession: (sessionId: string) => void;
}

/** The server speaks at least every quarter of a minute: a line this quiet is dead, whatever the network says. */
const SILENCE_MS = 45_000;
/** A connection that lived this long was a success. */
const SETTLED_MS = 1_000;

/**
 * Keeps a chat session connected: every break is followed by a new connection, to whichever task the balancer picks,
 * on which the conversation goes on.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #sessionId: string | undefined;
  #socket: WebSocket | undefined;
  #failures = 0;
  #retry: number | undefined;
  #silence: number | undefined;
  #closed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId;
    addEventListener('online', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    void this.#connect();
  }

  /** False where nobody heard it; what matters is said again in the next greeting. */
  send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#retry);
    this.#drop();
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    try {
      const ticket = await this.#ticket();
      if (this.#closed || this.#sessionId === undefined) return;
      this.#open(socketUrl(this.#sessionId, ticket));
    } catch {
      this.#failures += 1;
      this.#connectLater(backoffMs(this.#failures, Math.random()));
    }
  }

  async #ticket(): Promise<string> {
    const { shop, onSession } = this.#options;
    const known = this.#sessionId === undefined ? undefined : await shop.ticketFor(this.#sessionId);
    if (known !== undefined) return known;
    const { id, ticket } = await shop.openSession();
    this.#sessionId = id;
    onSession(id);
    return ticket;
  }

  #open(url: string): void {
    const socket = new WebSocket(url);
    const openedAtMs = performance.now();
    this.#socket = socket;
    socket.onopen = () => {
      this.#options.onState('online');
      this.#listen();
      for (const frame of this.#options.greeting()) this.send(frame);
    };
    socket.onmessage = ({ data }) => {
      this.#listen();
      this.#hear(data);
    };
    socket.onclose = () => {
      const settled = performance.now() - openedAtMs > SETTLED_MS;
      this.#failures = settled ? 0 : this.#failures + 1;
      this.#connectLater(backoffMs(this.#failures, Math.random()));
    };
  }

  #hear(data: unknown): void {
    const frame = serverFrameSchema.safeParse(parsed(data)).data;
    if (frame === undefined) return;
    // The task makes room: another one continues, from the frame after the last.
    if (frame.type === 'reconnect') setTimeout(() => this.#move(), frame.afterMs);
    this.#options.onFrame(frame);
  }

  #move(): void {
    if (this.#closed || this.#retry !== undefined) return;
    this.#connectLater(0);
  }

  #connectLater(delayMs: number): void {
    this.#drop();
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#options.onState('reconnecting');
    this.#retry = window.setTimeout(() => void this.#connect(), delayMs);
  }

  #drop(): void {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#connectLater(0), SILENCE_MS);
  }

  /** The network is back, or the reader is: no need to wait any longer. */
  readonly #hurry = (): void => {
    if (this.#retry === undefined || document.visibilityState === 'hidden') return;
    clearTimeout(this.#retry);
    void this.#connect();
  };
}

function socketUrl(sessionId: string, ticket: string): string {
  const url = new URL(`${PATHS.sessions}/${encodeURIComponent(sessionId)}/ws`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('ticket', ticket);
  return url.href;
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
