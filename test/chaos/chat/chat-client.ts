import { setTimeout as pause } from 'node:timers/promises';
import {
  compareFrames,
  HEADERS,
  isTerminal,
  parseFrameId,
  PATHS,
  serverFrameSchema,
  type FramePosition,
  type ServerFrame,
} from '@matsuri/contract';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** What a client has heard of one message. */
export interface HeardAnswer {
  readonly clientMessageId: string;
  /** The deltas of its newest epoch, joined. */
  text: string;
  /** Frames that ended it; there should be one. */
  terminals: ServerFrame[];
  /** How often it was begun anew. */
  restarts: number;
  /** Connections that were lost while it was made. */
  interruptions: number;
  gaps: number;
  repeats: number;
}

interface Open {
  readonly heard: HeardAnswer;
  readonly text: string;
  position: FramePosition | undefined;
  readonly over: PromiseWithResolvers<HeardAnswer>;
}

const opened = z.object({ id: z.string(), ticket: z.string() });
const ticketed = z.object({ ticket: z.string() });
const RETRY_MS = 100;
const GIVE_UP_MS = 60_000;

/** A client as the protocol wants it: it comes back, goes on where it was, and asks again only for what is lost. */
export class ChatClient {
  readonly heard: HeardAnswer[] = [];
  connections = 0;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #sessionId = '';
  #socket: WebSocket | undefined;
  #open: Open | undefined;
  #closed = false;

  constructor(url: string, apiToken: string, userId: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${apiToken}`, [HEADERS.endUser]: userId };
  }

  async start(): Promise<void> {
    const { id, ticket } = await this.#insist(async () => opened.parse(await this.#post('')));
    this.#sessionId = id;
    await this.#connect(ticket);
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** Resolves when the message has had its end. */
  ask(clientMessageId: string, text: string): Promise<HeardAnswer> {
    const heard: HeardAnswer = {
      clientMessageId,
      text: '',
      terminals: [],
      restarts: 0,
      interruptions: 0,
      gaps: 0,
      repeats: 0,
    };
    this.heard.push(heard);
    const over = Promise.withResolvers<HeardAnswer>();
    this.#open = { heard, text, position: undefined, over };
    this.#say();
    return over.promise;
  }

  close(): void {
    this.#closed = true;
    this.#socket?.terminate();
  }

  /** Says what the open message needs: to be asked, or to be gone on with. */
  #say(): void {
    const open = this.#open;
    if (!open || this.#socket?.readyState !== WebSocket.OPEN) return;
    const { position } = open;
    const frame = position
      ? { type: 'resume', lastId: `${position.epoch}:${position.seq}` }
      : { type: 'message', clientMessageId: open.heard.clientMessageId, text: open.text };
    this.#socket.send(JSON.stringify(frame));
  }

  #hear(frame: ServerFrame): void {
    if (frame.type === 'reconnect') {
      void pause(frame.afterMs).then(() => this.#socket?.close());
      return;
    }
    const open = this.#open;
    if (frame.type === 'ping') return;
    if (!open) {
      this.#hearTooMuch(frame);
      return;
    }
    if (frame.type === 'error' && frame.code === 'answer_lost') {
      open.position = undefined;
      this.#say();
      return;
    }
    if (frame.type === 'error' && frame.messageId === undefined) {
      if (frame.clientMessageId === undefined) return;
      // Turned away for now: a full house, or the answer of a moment ago not yet put away.
      void pause(frame.retryAfterMs ?? RETRY_MS).then(() => this.#say());
      return;
    }
    this.#place(open, frame);
  }

  /** What has ended ends no second time. */
  #hearTooMuch(frame: ServerFrame): void {
    const isOfAnswer = 'messageId' in frame && frame.messageId !== undefined;
    if (isOfAnswer && isTerminal(frame)) this.heard.at(-1)?.terminals.push(frame);
  }

  #place(open: Open, frame: ServerFrame): void {
    const at = parseFrameId(frame.id);
    if (!at) throw new Error(`a frame without a place: ${frame.id}`);
    const { heard } = open;
    const before = open.position;
    if (before && compareFrames(at, before) <= 0) {
      heard.repeats += 1;
      return;
    }
    if (frame.type === 'message') {
      if (heard.text !== '') heard.restarts += 1;
      heard.text = '';
    } else if (before?.epoch !== at.epoch || at.seq !== before.seq + 1) heard.gaps += 1;
    open.position = at;
    if (frame.type === 'delta') heard.text += frame.text;
    if (!isTerminal(frame)) return;
    heard.terminals.push(frame);
    this.#open = undefined;
    open.over.resolve(heard);
  }

  async #connect(first?: string): Promise<void> {
    const ticket = first ?? (await this.#insist(() => this.#ticket()));
    const path = `${PATHS.sessions}/${this.#sessionId}/ws?ticket=${ticket}`;
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}${path}`);
    this.#socket = socket;
    this.connections += 1;
    socket.on('message', (data: Buffer) =>
      this.#hear(serverFrameSchema.parse(JSON.parse(data.toString('utf8')))),
    );
    socket.on('error', () => undefined);
    socket.on('open', () => this.#say());
    socket.on('close', () => {
      if (this.#closed || this.#socket !== socket) return;
      if (this.#open) this.#open.heard.interruptions += 1;
      void pause(RETRY_MS).then(() => this.#connect());
    });
    await new Promise((resolve) => socket.once('open', resolve).once('close', resolve));
  }

  async #ticket(): Promise<string> {
    return ticketed.parse(await this.#post(`/${this.#sessionId}/tickets`)).ticket;
  }

  async #post(path: string): Promise<unknown> {
    const init = { method: 'POST', headers: this.#headers };
    const response = await fetch(`${this.#url}${PATHS.sessions}${path}`, init);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  async #insist<T>(attempt: () => Promise<T>): Promise<T> {
    for (const untilMs = performance.now() + GIVE_UP_MS; ;) {
      try {
        return await attempt();
      } catch (error) {
        if (this.#closed || performance.now() > untilMs) throw error;
        await pause(RETRY_MS);
      }
    }
  }
}
