import type { Dispatcher } from 'undici';

import type { PooledCall, RegionPool } from './region-pool';
import { connectionError } from './upstream-failure';
import type { Refusal } from './upstream-failure';

/** Where the body of an accepted call goes. */
export interface AnswerSink {
  /** The upstream has said 200. */
  accept(): void;
  /** May throw; the call is over then. */
  data(chunk: Buffer): void;
  /** May throw; the body was not whole then. */
  end(): void;
  /** Nothing more will come. */
  fail(error: unknown): void;
}

export interface UpstreamCallOptions {
  readonly pool: RegionPool;
  readonly signal: AbortSignal;
  /** The error a reply other than 200 stands for. */
  readonly refuse: (refusal: Refusal) => Error;
}

const MOST_REFUSAL_BYTES = 64 * 1_024;
const LEFT = new Error('the caller has left');

/**
 * One request on its way: it ends once, by its answer, a fault, or the signal, and then holds neither the socket
 * nor the signal any more.
 */
export class UpstreamCall implements PooledCall {
  isRunning = false;
  private controller: Dispatcher.DispatchController | undefined;
  private refusal: Refusal | undefined;
  private isOver = false;

  constructor(
    private readonly sink: AnswerSink,
    private readonly options: UpstreamCallOptions,
  ) {}

  send(request: Dispatcher.DispatchOptions): void {
    this.options.signal.addEventListener('abort', this, ONCE);
    this.options.pool.send(request, this);
  }

  /** Stops reading until `resume`; the socket's own buffers fill up and hold the upstream back. */
  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  /** Ends the call without a word to anybody. */
  leave(): void {
    if (this.finish()) this.controller?.abort(LEFT);
  }

  fail(error: unknown): void {
    if (!this.finish()) return;
    this.sink.fail(error);
    this.controller?.abort(LEFT);
  }

  /** The signal's abort. */
  handleEvent(): void {
    this.fail(this.options.signal.reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(LEFT);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Refusal['headers'],
  ): void {
    if (this.isOver || status < 200) return;
    if (status === 200) this.sink.accept();
    else this.refusal = { status, headers, body: '' };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    if (this.refusal) {
      this.keepRefusal(this.refusal, chunk);
      return;
    }
    try {
      this.sink.data(chunk);
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    if (this.refusal) {
      this.fail(this.options.refuse(this.refusal));
      return;
    }
    try {
      this.sink.end();
      this.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(connectionError(error));
  }

  private keepRefusal(refusal: Refusal, chunk: Buffer): void {
    const room = MOST_REFUSAL_BYTES - refusal.body.length;
    const body = refusal.body + chunk.toString('utf8', 0, room);
    this.refusal = { ...refusal, body };
    if (chunk.length > room) this.fail(this.options.refuse(this.refusal));
  }

  /** Whether this was the end: only the first one counts. */
  private finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.options.signal.removeEventListener('abort', this);
    this.options.pool.release(this);
    return true;
  }
}

const ONCE = { once: true } as const;
