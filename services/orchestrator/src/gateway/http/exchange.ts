import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADERS } from '@matsuri/contract';
import { CallerAbortedError } from '@matsuri/resilience';
import { acceptableRequestId } from '../core/request-id';
import { errorBody, type OpenAiError } from '../core/openai/refusal/open-ai-error';

export type ReplyHeaders = Readonly<Record<string, string>>;

// A client that was refused before it had sent everything may finish its sentence, for so long.
const LINGER_MS = 2_000;

/** One request and its answer: who it is, whether its client is still there, and how to answer it. */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId: string;
  readonly startedAtMs = performance.now();
  /** The model that was asked for, once that is known. */
  model: string | undefined;
  readonly #departed = new AbortController();
  readonly #headers: Record<string, string>;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, headers: ReplyHeaders) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.requestId = acceptableRequestId(header(incoming, HEADERS.requestId)) ?? randomUUID();
    this.#headers = { ...headers, [HEADERS.requestId]: this.requestId };
    outgoing.once('close', this.#onClose);
    outgoing.on('error', this.#onClose);
  }

  /** Aborted when the client has gone before its answer was complete. */
  get departed(): AbortSignal {
    return this.#departed.signal;
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAtMs;
  }

  /** The headers every answer of ours has, and these. */
  headers(more: ReplyHeaders): ReplyHeaders {
    return { ...this.#headers, ...more };
  }

  /** Answers in one piece. */
  sendJson(status: number, body: string, more: ReplyHeaders = {}): void {
    if (this.outgoing.headersSent || this.outgoing.destroyed) return;
    this.outgoing.writeHead(
      status,
      this.headers({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...more,
      }),
    );
    this.outgoing.end(body);
    if (!this.incoming.complete) this.#linger();
  }

  sendError(error: OpenAiError): void {
    this.sendJson(error.status, errorBody(error), error.headers);
  }

  /** Gives up on a client that will not be answered any more. */
  leave(reason: Error): void {
    this.#departed.abort(reason);
    this.outgoing.destroy();
  }

  #linger(): void {
    const { incoming } = this;
    incoming.resume();
    const timer = setTimeout(() => incoming.socket.destroy(), LINGER_MS).unref();
    incoming.once('end', () => clearTimeout(timer));
  }

  readonly #onClose = (): void => {
    if (!this.outgoing.writableFinished) this.#departed.abort(new CallerAbortedError());
  };
}

/** A header that has one value, whatever the client repeats. */
export function header(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return typeof value === 'string' ? value : undefined;
}
