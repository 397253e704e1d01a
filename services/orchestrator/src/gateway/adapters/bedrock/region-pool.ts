import { Pool } from 'undici';
import type { Dispatcher } from 'undici';

import { ModelCallError } from '../../ports';

/** What the contract says about the connections a task keeps to Bedrock, per region. */
export interface ConnectionSettings {
  readonly maxConnections: number;
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Silence after which a connection counts as dead. */
  readonly socketTimeoutMs?: number | undefined;
  readonly maxWaiting: number;
  readonly acquireTimeoutMs: number;
}

/** How the connections to one region are used at this moment. */
export interface ConnectionUse {
  /** Sockets open, in use or idle. */
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** A call that a pool can send. */
export interface PooledCall extends Dispatcher.DispatchHandler {
  /** Whether it holds a connection; the pool's to write. */
  isRunning: boolean;
  /** The call cannot be sent: it is over. */
  fail(error: ModelCallError): void;
}

interface WaitingCall {
  readonly options: Dispatcher.DispatchOptions;
  readonly timer: NodeJS.Timeout;
}

const TCP_KEEP_ALIVE_MS = 60_000;

/**
 * Keep-alive connections of HTTP/1.1 to one endpoint, a call each. Calls beyond them wait here, not in the
 * client's own queue: there an aborted one could not leave before its turn, and would cost a good connection.
 */
export class RegionPool {
  private readonly pool: Pool;
  // A count, not a set: what a set has held stays in its outgrown tables until the old generation is collected.
  private running = 0;
  private readonly waiting = new Map<PooledCall, WaitingCall>();

  constructor(
    origin: string,
    private readonly settings: ConnectionSettings,
  ) {
    const { socketTimeoutMs = 0, idleTimeoutMs } = settings;
    this.pool = new Pool(origin, {
      allowH2: false,
      connections: settings.maxConnections,
      pipelining: 1,
      connect: {
        timeout: settings.connectTimeoutMs,
        keepAlive: true,
        keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      },
      headersTimeout: socketTimeoutMs,
      bodyTimeout: socketTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      keepAliveMaxTimeout: idleTimeoutMs,
    });
  }

  /** Sends a call now or as soon as a connection is free; `release` it when it is over. */
  send(options: Dispatcher.DispatchOptions, call: PooledCall): void {
    const { maxConnections, maxWaiting, acquireTimeoutMs } = this.settings;
    if (this.running < maxConnections) this.start(options, call);
    else if (this.waiting.size >= maxWaiting) call.fail(noneFree());
    else {
      const timer = setTimeout(() => call.fail(noneFree()), acquireTimeoutMs);
      this.waiting.set(call, { options, timer });
    }
  }

  /** Gives back what a call held, if anything: its connection or its place in the queue. */
  release(call: PooledCall): void {
    if (!call.isRunning) {
      this.takeFromQueue(call);
      return;
    }
    call.isRunning = false;
    this.running -= 1;
    this.startNext();
  }

  use(): ConnectionUse {
    return { open: this.pool.stats.connected, busy: this.running, waiting: this.waiting.size };
  }

  /** Ends every connection and the calls on them. */
  close(): Promise<void> {
    return this.pool.destroy();
  }

  private start(options: Dispatcher.DispatchOptions, call: PooledCall): void {
    call.isRunning = true;
    this.running += 1;
    this.pool.dispatch(options, call);
  }

  private startNext(): void {
    if (this.waiting.size === 0) return;
    const [next] = this.waiting.keys();
    const waited = next && this.takeFromQueue(next);
    if (waited) this.start(waited.options, next);
  }

  private takeFromQueue(call: PooledCall): WaitingCall | undefined {
    const waited = this.waiting.get(call);
    if (waited) {
      clearTimeout(waited.timer);
      this.waiting.delete(call);
    }
    return waited;
  }
}

function noneFree(): ModelCallError {
  return new ModelCallError('no-connection', 'No connection to Bedrock was free in time.');
}
