import { CLOSE_CODES, PATHS, serverFrameSchema } from '@matsuri/contract';
import type { ClientFrame, ServerFrame } from '@matsuri/contract';

import { backoffMs } from './core/backoff';
import type { Shop } from './shop';

export type LinkState = 'connecting' | 'online' | 'reconnecting';

export interface ConnectionOptions {
  readonly shop: Pick<Shop, 'openSession' | 'ticketFor'>;
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
 * on which the conversation goes on. There is one attempt at a time, and nothing an earlier one began, be it a ticket on
 * its way or a call to move, has a say in a later one.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #sessionId: string | undefined;
  #attempt = new AbortController();
  #socket: WebSocket | undefined;
  #failures = 0;
  #retry: number | undefined;
  #silence: number | undefined;

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

  /** Leaves a connection that is of no use any more for another, as after a failure but no sooner than asked. */
  reconnect(afterMs = 0): void {
    this.#connectAfter(this.#failures + 1, afterMs);
  }

  close(): void {
    removeEventListener('online', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#abandon();
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    const { signal } = this.#attempt;
    try {
      const url = await this.#address(signal);
      if (!signal.aborted) this.#open(url, signal);
    } catch {
      if (!signal.aborted) this.#connectAfter(this.#failures + 1);
    }
  }

  /** Where to connect to, with a ticket: for the session there is, or else for a new one. */
  async #address(signal: AbortSignal): Promise<string> {
    const { shop, onSession } = this.#options;
    const known = this.#sessionId;
    const ticket = known === undefined ? undefined : await shop.ticketFor(known);
    if (known !== undefined && ticket !== undefined) return socketUrl(known, ticket);
    const opened = await shop.openSession();
    if (!signal.aborted) {
      this.#sessionId = opened.id;
      onSession(opened.id);
    }
    return socketUrl(opened.id, opened.ticket);
  }

  #open(url: string, signal: AbortSignal): void {
    const socket = new WebSocket(url);
    // One that never opens has not lived, however long it took to fail.
    let openedAtMs = Infinity;
    this.#socket = socket;
    this.#listen();
    socket.onopen = () => {
      openedAtMs = performance.now();
      this.#options.onState('online');
      this.#listen();
      for (const frame of this.#options.greeting()) this.send(frame);
    };
    socket.onmessage = ({ data }) => {
      this.#listen();
      this.#hear(data, signal);
    };
    socket.onclose = ({ code }) => {
      const lived = performance.now() - openedAtMs > SETTLED_MS;
      const settled = lived && code !== CLOSE_CODES.tryAgainLater;
      this.#connectAfter(settled ? 0 : this.#failures + 1);
    };
  }

  #hear(data: unknown, signal: AbortSignal): void {
    const frame = serverFrameSchema.safeParse(parsed(data)).data;
    if (frame === undefined) return;
    // The task makes room: another one continues, from the frame after the last.
    if (frame.type === 'reconnect') {
      setTimeout(() => {
        if (!signal.aborted) this.#connectLater(0);
      }, frame.afterMs);
    }
    this.#options.onFrame(frame);
  }

  #connectAfter(failures: number, leastMs = 0): void {
    this.#failures = failures;
    this.#connectLater(Math.max(leastMs, backoffMs(failures, Math.random())));
  }

  #connectLater(delayMs: number): void {
    this.#abandon();
    this.#attempt = new AbortController();
    this.#options.onState('reconnecting');
    this.#retry = window.setTimeout(() => void this.#connect(), delayMs);
  }

  /** Ends the attempt, or the connection that came of it. */
  #abandon(): void {
    this.#attempt.abort();
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#retry = undefined;
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
