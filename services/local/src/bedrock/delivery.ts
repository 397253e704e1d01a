import { constants } from 'node:http2';

import type { Clock } from '../clock/clock';
import type { Response } from '../wire/listen';
import type { Reply, Step } from './core/reply';

type DeliveryOutcome = Reply['outcome'] | 'aborted';

/** Told of everything that becomes of a reply on its way. */
export interface DeliveryObserver {
  /** Tokens were handed to the socket, or generated for a caller who has left. */
  emitted(tokens: number, statesUsage: boolean): void;
  /** The socket has taken the bytes. */
  written(tokens: number, bytes: number): void;
  /** The caller has left before the end. */
  left(): void;
  /** Nothing more will happen. */
  done(outcome: DeliveryOutcome): void;
}

// One write per event would cost a system call per token; more at once would outrun a slow reader.
const MOST_BYTES_PER_WRITE = 16_384;

/** Sends a reply as its steps fall due, no faster than the caller reads. */
export function deliver(
  response: Response,
  reply: Reply,
  clock: Clock,
  observer: DeliveryObserver,
): void {
  new Delivery(response, reply, clock, observer).start();
}

class Delivery {
  private readonly startedAtMs: number;
  private readonly steps: Iterator<Step>;
  private next: Step | undefined;
  private callerLeft = false;
  private over = false;
  private cancelTimer = (): void => undefined;

  constructor(
    private readonly response: Response,
    private readonly reply: Reply,
    private readonly clock: Clock,
    private readonly observer: DeliveryObserver,
  ) {
    this.startedAtMs = clock.nowMs();
    this.steps = reply.steps[Symbol.iterator]();
    this.advance();
  }

  start(): void {
    const { response, reply } = this;
    response.on('close', () => this.onClose());
    // A caller's reset arrives as an error too; `close` follows it and says all there is to say.
    response.on('error', () => undefined);
    response.statusCode = reply.status;
    for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
    this.pump();
  }

  private advance(): void {
    const result = this.steps.next();
    this.next = result.done === true ? undefined : result.value;
  }

  private elapsedMs(): number {
    return this.clock.nowMs() - this.startedAtMs;
  }

  private readonly pump = (): void => {
    while (!this.over) {
      const due = this.takeDue();
      if (due.length === 0) {
        this.wait();
        return;
      }
      if (!this.send(due)) return;
    }
  };

  private takeDue(): Step[] {
    const elapsedMs = this.elapsedMs();
    const due: Step[] = [];
    let bytes = 0;
    while (this.next && this.next.atMs <= elapsedMs && bytes < MOST_BYTES_PER_WRITE) {
      due.push(this.next);
      bytes += this.next.bytes.length;
      this.advance();
    }
    return due;
  }

  private wait(): void {
    if (this.next)
      this.cancelTimer = this.clock.after(this.next.atMs - this.elapsedMs(), this.pump);
    else this.conclude();
  }

  /** Answers whether the next steps may follow at once. */
  private send(due: readonly Step[]): boolean {
    const tokens = due.reduce((sum, step) => sum + step.tokens, 0);
    this.observer.emitted(
      tokens,
      due.some(({ statesUsage }) => statesUsage),
    );
    if (this.callerLeft) return true;
    const bytes = Buffer.concat(due.map((step) => step.bytes));
    return this.next ? this.sendMore(bytes, tokens) : this.sendLast(bytes, tokens);
  }

  private sendMore(bytes: Buffer, tokens: number): boolean {
    const hasRoom = write(this.response, bytes, (error) => {
      if (!error) this.observer.written(tokens, bytes.length);
    });
    if (!hasRoom) this.response.once('drain', this.pump);
    return hasRoom;
  }

  private sendLast(bytes: Buffer, tokens: number): false {
    if (this.reply.ending === 'end') {
      this.response.end(bytes, () => {
        this.observer.written(tokens, bytes.length);
        this.finish(this.reply.outcome);
      });
      return false;
    }
    write(this.response, bytes, (error) => {
      if (!error) this.observer.written(tokens, bytes.length);
      // Only now: a reset would take bytes that are still on their way with it.
      this.conclude();
    });
    return false;
  }

  private conclude(): void {
    if (this.callerLeft) this.finish('aborted');
    else if (this.reply.ending === 'end') this.response.end(() => this.finish(this.reply.outcome));
    else if (this.reply.ending === 'reset') {
      this.finish(this.reply.outcome);
      resetConnection(this.response);
    }
  }

  private onClose(): void {
    if (this.over || this.callerLeft) return;
    this.callerLeft = true;
    this.observer.left();
    if (!this.reply.outlivesCaller) {
      this.finish('aborted');
      return;
    }
    this.cancelTimer();
    this.pump();
  }

  private finish(outcome: DeliveryOutcome): void {
    if (this.over) return;
    this.over = true;
    this.cancelTimer();
    this.observer.done(outcome);
  }
}

// Both kinds of response take the same call, but a union of overloads cannot be called.
function write(response: Response, bytes: Buffer, taken: (error?: Error | null) => void): boolean {
  return 'stream' in response ? response.write(bytes, taken) : response.write(bytes, taken);
}

function resetConnection(response: Response): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.socket?.resetAndDestroy();
}
