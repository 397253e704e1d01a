import { Client } from 'undici';

import { Exchange } from './exchange';
import type { ExchangeOutcome } from './exchange';
import type { Shape } from '../plan';
import type { Target } from './orders';

const ANSWER_TIMEOUT_MS = 30_000;
// Longer than any pause between two turns of a system; a shorter hint of the server wins.
const IDLE_MS = 300_000;

interface Waiting {
  readonly shape: Shape;
  readonly intendedAtMs: number;
  readonly onEnd: (outcome: ExchangeOutcome) => void;
}

/**
 * Kept-alive connections to one system, used in turn, one request at a time each. When all are busy, requests
 * wait here, and their waiting is part of their latency.
 */
export class ConnectionSet {
  private readonly idle: Client[];
  private readonly waiting: Waiting[] = [];
  private bodyIndex = 0;

  constructor(
    private readonly target: Target,
    connections: number,
  ) {
    const options = {
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    };
    this.idle = Array.from({ length: connections }, () => new Client(target.origin, options));
  }

  send(request: Waiting): void {
    const client = this.idle.shift();
    if (client === undefined) this.waiting.push(request);
    else this.dispatch(client, request);
  }

  private dispatch(client: Client, { shape, intendedAtMs, onEnd }: Waiting): void {
    const { path, headers, bodies } = this.target.requests[shape];
    const body = bodies[this.bodyIndex++ % bodies.length] ?? '';
    const exchange = new Exchange({
      wire: this.target.wire,
      shape,
      intendedAtMs,
      onEnd: (outcome) => {
        this.release(client);
        onEnd(outcome);
      },
    });
    client.dispatch({ method: 'POST', path, headers, body }, exchange);
  }

  private release(client: Client): void {
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(client);
    else this.dispatch(client, next);
  }
}
