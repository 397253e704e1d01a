import { WebSocket } from 'ws';

/** How one message ended, and when. */
export interface MessageOutcome {
  /** `full`: a model's own answer, whole; `lesser`: cached, shared, template or cut; `refused`: turned away. */
  readonly kind: 'full' | 'lesser' | 'refused' | 'failed';
  readonly tookMs: number;
  readonly firstDeltaMs: number;
}

interface Pending {
  readonly dueAtMs: number;
  firstDeltaAtMs: number;
  degraded: boolean;
  readonly resolve: (outcome: MessageOutcome) => void;
}

/** Frames are told apart by a few bytes: parsing thousands of deltas a second would measure the generator. */
const DELTA = '"type":"delta"';
const DONE = '"type":"done"';
const ERROR = '"type":"error"';
const DEGRADED = '"type":"degraded"';
const REFUSALS = ['"code":"overloaded"', '"code":"busy"'];

/** One open session of the load. */
export class SessionSocket {
  readonly #socket: WebSocket;
  #pending: Pending | undefined;
  #messages = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#hear(data));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end('failed'));
  }

  static async open(url: string, localAddress: string): Promise<SessionSocket> {
    const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => {
        socket.off('error', reject);
        resolve(new SessionSocket(socket));
      });
    });
  }

  get idle(): boolean {
    return this.#pending === undefined && this.#socket.readyState === WebSocket.OPEN;
  }

  /** Times count from when the message was due, not from when there was time to send it. */
  ask(text: string, dueAtMs: number): Promise<MessageOutcome> {
    this.#messages += 1;
    const frame = { type: 'message', clientMessageId: `m${this.#messages}`, text };
    return new Promise((resolve) => {
      this.#pending = { dueAtMs, firstDeltaAtMs: 0, degraded: false, resolve };
      this.#socket.send(JSON.stringify(frame));
    });
  }

  close(): void {
    this.#socket.terminate();
  }

  #hear(data: Buffer): void {
    const pending = this.#pending;
    if (!pending) return;
    const text = data.toString('latin1');
    if (text.includes(DELTA)) pending.firstDeltaAtMs ||= performance.now();
    else if (text.includes(DEGRADED)) pending.degraded = true;
    else if (text.includes(DONE)) {
      const whole = !pending.degraded && text.includes('"finish":"stop"');
      this.#end(whole ? 'full' : 'lesser');
    } else if (text.includes(ERROR)) {
      this.#end(REFUSALS.some((code) => text.includes(code)) ? 'refused' : 'failed');
    }
  }

  #end(kind: MessageOutcome['kind']): void {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    const { dueAtMs, firstDeltaAtMs } = pending;
    const firstDeltaMs = firstDeltaAtMs === 0 ? 0 : firstDeltaAtMs - dueAtMs;
    pending.resolve({ kind, tookMs: performance.now() - dueAtMs, firstDeltaMs });
  }
}
