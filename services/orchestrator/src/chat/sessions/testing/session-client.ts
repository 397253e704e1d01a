import { once } from 'node:events';
import { HEADERS, serverFrameSchema, type ClientFrame, type ServerFrame } from '@matsuri/contract';
import { WebSocket, type ClientOptions } from 'ws';
import { z } from 'zod';

const opened = z.object({ id: z.string(), ticket: z.string(), ticketExpiresInSeconds: z.number() });

/** A caller's backend. */
export class SessionClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string, userId: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, [HEADERS.endUser]: userId };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return fetch(`${this.#url}/v1/sessions${path}`, { ...init, headers });
  }

  async open(): Promise<z.output<typeof opened>> {
    const response = await this.fetch('', { method: 'POST' });
    return opened.parse(await response.json());
  }

  message(sessionId: string, clientMessageId: string, text = 'question'): Promise<Response> {
    const body = JSON.stringify({ clientMessageId, text });
    return this.fetch(`/${sessionId}/messages`, { method: 'POST', body });
  }

  /** Connects with the bearer token, or with a ticket alone. */
  async connect(sessionId: string, ticket?: string, options: ClientOptions = {}): Promise<Talk> {
    const query = ticket === undefined ? '' : `?ticket=${encodeURIComponent(ticket)}`;
    const url = `${this.#url.replace('http', 'ws')}/v1/sessions/${sessionId}/ws${query}`;
    const headers = ticket === undefined ? this.#headers : {};
    const talk = new Talk(new WebSocket(url, { headers, ...options }));
    await talk.opened;
    return talk;
  }
}

/** One WebSocket and everything heard on it. */
export class Talk {
  readonly socket: WebSocket;
  readonly frames: ServerFrame[] = [];
  readonly opened: Promise<unknown>;
  readonly closed: Promise<number>;
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.opened = once(socket, 'open');
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      this.frames.push(serverFrameSchema.parse(JSON.parse(data.toString('utf8'))));
      for (const waiter of this.#waiting.splice(0)) waiter();
    });
  }

  say(frame: ClientFrame): void {
    this.socket.send(JSON.stringify(frame));
  }

  ask(clientMessageId: string, text = 'question'): void {
    this.say({ type: 'message', clientMessageId, text });
  }

  /** The first frame of this type that has come or will come. */
  async hear<Type extends ServerFrame['type']>(
    type: Type,
    nth = 0,
  ): Promise<Extract<ServerFrame, { type: Type }>> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.type === type)[nth];
      if (found) return found as Extract<ServerFrame, { type: Type }>;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** What the answer says so far. */
  get text(): string {
    return this.frames.map((frame) => (frame.type === 'delta' ? frame.text : '')).join('');
  }
}
