import { CLOSE_CODES, compareFrames, parseFrameId, type ClientFrame } from '@matsuri/contract';
import type { FramePosition, ServerFrame } from '@matsuri/contract';
import type { RawData, WebSocket } from 'ws';
import type { SessionRef } from '../ports';
import type { Refused } from './answers';
import { placeOfLoss, type Following } from './following';
import type { Reader } from './answer-run';
import { readClientFrame } from './core/client-frame';
import { BEFORE_ALL, placeFrame, type PlacedFrame } from './core/placed-frame';
import type { SessionWorld } from './session-world';
import type { TokenId } from './token-watch';

export interface Guest {
  readonly session: SessionRef;
  readonly token: TokenId;
}

type MessageFrame = Extract<ClientFrame, { type: 'message' }>;
type Placeless<Frame> = Frame extends unknown ? Omit<Frame, 'id'> : never;

/** More frames or pings than this between two looks is no conversation. */
const MAX_FRAMES_PER_LOOK = 300;
/** What a client has been told once costs as much as so many frames when it wants to be told again. */
const REPEAT_COST = 30;
const DIRECTORY_RETRY_MS = 2_000;

/** One WebSocket of one session: what its client says is done, what its answer says is passed on. */
export class Connection implements Reader {
  readonly guest: Guest;
  readonly openedAtMs = performance.now();
  readonly #socket: WebSocket;
  readonly #world: SessionWorld;
  /** Messages sent here whose answers are still being read, or found. */
  readonly #answering = new Set<string>();
  #following: Following | undefined;
  #position: FramePosition = BEFORE_ALL;
  #heardAtMs = performance.now();
  #sentSinceLook = false;
  #framesSinceLook = 0;
  #leaving = false;

  constructor(socket: WebSocket, guest: Guest, world: SessionWorld) {
    this.#socket = socket;
    this.guest = guest;
    this.#world = world;
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('pong', () => this.#heard());
    socket.on('ping', () => this.#heard());
    socket.on('close', () => {
      this.#following?.stop();
      world.connections.delete(this);
    });
    // What is wrong with a socket shows in its closing.
    socket.on('error', () => undefined);
  }

  /** Whether an answer is being read. */
  get isReading(): boolean {
    return this.#following !== undefined;
  }

  take(frames: readonly PlacedFrame[]): void {
    const [first] = frames;
    const isRepeat = first !== undefined && compareFrames(first, this.#position) < 0;
    if (isRepeat && !this.#count(REPEAT_COST)) return;
    for (const frame of frames) this.#send(frame.text);
    this.#position = frames.at(-1) ?? this.#position;
  }

  /** Looked at regularly: is the client there, may it still be. */
  look(nowMs: number): void {
    const { settings, tokens } = this.#world;
    if (nowMs - this.#heardAtMs > 2.5 * settings.pingSeconds * 1_000) {
      this.#socket.terminate();
      return;
    }
    if (tokens.hasEnded(this.guest.token)) {
      this.#end(CLOSE_CODES.policyViolation, 'the API token has ended');
      return;
    }
    this.#framesSinceLook = 0;
    this.#socket.ping();
    if (!this.#sentSinceLook) this.tell({ type: 'ping' });
    this.#sentSinceLook = false;
  }

  /** Asks the client to move to another task. */
  askToMove(afterMs: number, reason: 'drain' | 'recycle' | 'rebalance'): void {
    this.tell({ type: 'reconnect', afterMs, reason });
  }

  /** Closes as soon as the answer being read is over. */
  async closeWhenRead(): Promise<void> {
    while (this.#following) await this.#following.over;
    this.#end(CLOSE_CODES.serviceRestart, 'reconnect, another task goes on');
  }

  close(code: number, reason: string): void {
    this.#end(code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Sees whether the token still holds, and ends the connection if not. */
  async recheck(): Promise<void> {
    try {
      if (await this.#world.tokens.current(this.guest.token)) return;
      this.#end(CLOSE_CODES.policyViolation, 'the API token has ended');
    } catch {
      // Asked again with the next message.
    }
  }

  tell(frame: Placeless<ServerFrame>): void {
    this.#send(placeFrame(this.#position, frame).text);
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#sentSinceLook = true;
    this.#socket.send(text);
    if (this.#socket.bufferedAmount <= this.#world.settings.maxBufferedBytes) return;
    const { sessionId } = this.guest.session;
    this.#world.log.info('a client reads too slowly', { session_id: sessionId });
    this.#socket.terminate();
  }

  #end(code: number, reason: string): void {
    this.#leaving = true;
    this.#socket.close(code, reason);
  }

  #heard(): boolean {
    this.#heardAtMs = performance.now();
    return this.#count(1);
  }

  #count(frames: number): boolean {
    this.#framesSinceLook += frames;
    if (this.#framesSinceLook <= MAX_FRAMES_PER_LOOK) return true;
    this.#end(CLOSE_CODES.policyViolation, 'too many frames');
    return false;
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (this.#leaving || !this.#heard()) return;
    if (isBinary) {
      this.#end(CLOSE_CODES.unsupportedData, 'text frames only');
      return;
    }
    const heard = readClientFrame(textOf(data));
    if (heard.kind === 'unreadable') {
      const { kind: _, ...refused } = heard;
      this.tell({ type: 'error', ...refused });
      return;
    }
    const { frame } = heard;
    this.#obey(frame).catch((err: unknown) => {
      this.#world.log.error('a frame could not be handled', { err, type: frame.type });
      if (frame.type === 'resume') {
        // Its client knows no better than to wait; on its next connection it asks again.
        this.#end(CLOSE_CODES.tryAgainLater, 'reconnect and resume');
        return;
      }
      const message = 'The server had an error. Please try again.';
      this.tell({ type: 'error', code: 'internal', message, ...refusedMessage(frame) });
    });
  }

  async #obey(frame: ClientFrame): Promise<void> {
    switch (frame.type) {
      case 'pong':
        return;
      case 'message':
        return this.#askOnce(frame);
      case 'resume':
        return this.#resume(frame.lastId);
      case 'cancel':
        return this.#world.answers.cancel(this.guest.session, frame.messageId);
    }
  }

  /** Sent again while its answer is on its way here, a message needs no second one. */
  async #askOnce(frame: MessageFrame): Promise<void> {
    const { clientMessageId } = frame;
    if (this.#answering.has(clientMessageId)) return;
    this.#answering.add(clientMessageId);
    try {
      const following = await this.#ask(frame);
      await following?.over;
    } finally {
      this.#answering.delete(clientMessageId);
    }
  }

  async #ask(frame: MessageFrame): Promise<Following | undefined> {
    const { answers, tokens, callerOf } = this.#world;
    const { session } = this.guest;
    let token;
    try {
      token = await tokens.current(this.guest.token);
    } catch {
      this.#refuse(frame, DIRECTORY_AWAY);
      return undefined;
    }
    if (!token) {
      this.#refuse(frame, UNAUTHORISED);
      this.#end(CLOSE_CODES.policyViolation, 'the API token has ended');
      return undefined;
    }
    const caller = { ...callerOf(token), userId: session.userId };
    const { clientMessageId, text, locale } = frame;
    const asked = { session, caller, clientMessageId, text, ...(locale && { locale }) };
    const outcome = await answers.ask(asked, this);
    if (outcome.kind === 'refused') {
      this.#refuse(frame, outcome);
      return undefined;
    }
    this.#follow(outcome);
    return outcome;
  }

  async #resume(lastId: string): Promise<void> {
    const cursor = parseFrameId(lastId);
    if (!cursor || cursor.epoch === 0 || !this.#count(REPEAT_COST)) return;
    if (!(await this.#world.tokens.current(this.guest.token))) {
      this.#end(CLOSE_CODES.policyViolation, 'the API token has ended');
      return;
    }
    if (this.#following) return;
    this.#position = cursor;
    const outcome = await this.#world.answers.resume(this.guest.session, cursor, this);
    if (outcome.kind === 'following') this.#follow(outcome);
    else {
      const { messageId } = outcome;
      const message = 'This answer is lost. Send the message again to have it answered anew.';
      this.#position = placeOfLoss(cursor.epoch);
      this.tell({ type: 'error', code: 'answer_lost', message, ...(messageId && { messageId }) });
    }
  }

  #follow(following: Following): void {
    if (this.#socket.readyState >= this.#socket.CLOSING) {
      following.stop();
      return;
    }
    this.#following?.stop();
    this.#following = following;
    void following.over.then(() => {
      if (this.#following === following) this.#following = undefined;
    });
  }

  #refuse({ clientMessageId }: MessageFrame, { code, message, retryAfterMs }: Refused): void {
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    this.tell({ type: 'error', clientMessageId, code, message, ...wait });
  }
}

const DIRECTORY_AWAY: Refused = {
  kind: 'refused',
  code: 'overloaded',
  message: 'Your API token cannot be checked at the moment. Please try again soon.',
  retryAfterMs: DIRECTORY_RETRY_MS,
};

const UNAUTHORISED: Refused = {
  kind: 'refused',
  code: 'unauthorised',
  message: 'The API token of this session has expired or was revoked.',
};

function refusedMessage(frame: ClientFrame): { clientMessageId?: string } {
  return frame.type === 'message' ? { clientMessageId: frame.clientMessageId } : {};
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
