import { setTimeout as pause } from 'node:timers/promises';
import { CLOSE_CODES, type PlatformConfiguration } from '@matsuri/contract';
import type { Connection } from './connection';
import { Rota } from './core/rota';

export type MoveReason = 'drain' | 'recycle';

/** Steps in which a whole round of looking at connections is made, so that it never takes the loop for long. */
const STEPS = 60;
const WAVE_MS = 250;
/** A client that was asked to move has this long to go by itself. */
const GRACE_MS = 1_000;

/** The WebSockets of this task. */
export class Connections {
  readonly #settings: PlatformConfiguration['sessions'];
  readonly #all = new Rota<Connection>(STEPS);
  readonly #bySession = new Map<string, number>();
  readonly #random: () => number;
  readonly #timer: NodeJS.Timeout;
  /** Who was asked to move: asking again would only hurry the same client. */
  readonly #asked = new WeakSet<Connection>();
  #moving: MoveReason | undefined;

  constructor(settings: PlatformConfiguration['sessions'], random: () => number = Math.random) {
    this.#settings = settings;
    this.#random = random;
    this.#timer = setInterval(this.#look, (settings.pingSeconds * 1_000) / STEPS).unref();
  }

  get size(): number {
    return this.#all.size;
  }

  get sessions(): number {
    return this.#bySession.size;
  }

  add(connection: Connection): void {
    this.#all.add(connection);
    const key = connection.guest.session.sessionId;
    this.#bySession.set(key, (this.#bySession.get(key) ?? 0) + 1);
    // Who comes while everybody goes is served, and asked to go too.
    if (this.#moving) void this.#move(connection, this.#moving);
  }

  delete(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const key = connection.guest.session.sessionId;
    const left = (this.#bySession.get(key) ?? 1) - 1;
    if (left > 0) this.#bySession.set(key, left);
    else this.#bySession.delete(key);
  }

  /** Sees about the connections opened under a token that changed. */
  recheck(tokenId: string): void {
    for (const connection of this.#all) {
      if (connection.guest.token.tokenId === tokenId) void connection.recheck();
    }
  }

  /** Asks everybody to move, each in a moment of its own, and closes in waves; resolves when all have gone. */
  async moveAll(reason: MoveReason, signal: AbortSignal): Promise<void> {
    this.#moving = reason;
    for (const connection of [...this.#all]) void this.#move(connection, reason);
    await this.#gone(signal);
  }

  /** Lets nobody read on: resolves when all have heard so, and gone. */
  async endAll(signal: AbortSignal): Promise<void> {
    for (const connection of this.#all) {
      connection.close(CLOSE_CODES.serviceRestart, 'reconnect, another task goes on');
    }
    await this.#gone(signal);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const connection of this.#all) connection.terminate();
  }

  async #gone(signal: AbortSignal): Promise<void> {
    while (this.#all.size > 0 && !signal.aborted) {
      await pause(WAVE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #move(connection: Connection, reason: MoveReason | 'rebalance'): Promise<void> {
    if (this.#asked.has(connection)) return;
    this.#asked.add(connection);
    const afterMs = Math.floor(this.#random() * this.#settings.reconnectJitterMs);
    connection.askToMove(afterMs, reason);
    await pause(afterMs + GRACE_MS, undefined, { ref: false });
    await connection.closeWhenRead();
  }

  readonly #look = (): void => {
    const nowMs = performance.now();
    for (const connection of this.#all.next()) {
      connection.look(nowMs);
      this.#rebalance(connection, nowMs);
    }
  };

  /** In the round in which its age passes the limit, give or take a tenth; once. */
  #rebalance(connection: Connection, nowMs: number): void {
    const limitMs = this.#settings.maxConnectionSeconds * 1_000 * (0.9 + 0.2 * this.#random());
    const ageMs = nowMs - connection.openedAtMs;
    if (ageMs < limitMs || connection.isReading) return;
    void this.#move(connection, 'rebalance');
  }
}
