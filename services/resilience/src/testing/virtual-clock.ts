import type { Cancel, Clock } from '../core/clock';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Lets every promise that can settle do so; takes no time. */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Time that passes only when told to. Timers run in order of their instant, then of their making. */
export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    if (delayMs === Infinity) return () => undefined;
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** How many timers are armed: a leak shows here. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves time without letting promises settle in between. */
  jump(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let due = this.#due(untilMs); due; due = this.#due(untilMs)) this.#fire(due);
    this.#nowMs = untilMs;
  }

  /** Moves time, letting promises settle before and after every timer. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (let due = this.#due(untilMs); due; due = this.#due(untilMs)) {
      this.#fire(due);
      await settled();
    }
    this.#nowMs = untilMs;
    await settled();
  }

  #due(untilMs: number): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (!earliest || timer.atMs < earliest.atMs)) earliest = timer;
    }
    return earliest;
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#nowMs = Math.max(this.#nowMs, timer.atMs);
    timer.run();
  }
}
