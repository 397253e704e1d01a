import type { Spared } from '../models/model-side';
import type { Workload } from '../traffic/workload';

/** Whoever waited longer is late; whoever waits longer than patience allows is gone. */
const LATE_AFTER_SECONDS = 1;
const PATIENCE_SECONDS = 30;

/** Shares of a slot that are only rounding. */
const ROUNDING = 1e-6;

/** The requests of a service: those in a slot and those that wait for one, first come first served. */
export interface Queue {
  readonly inFlight: number;
  readonly waiting: number;
  /** In the last second. */
  readonly arrived: number;
  /** Calls to a model that began. */
  readonly started: number;
  /** The longest that anyone has waited who started in, or still waits after, the last second. */
  readonly longestWaitSeconds: number;
  /** Of the requests that count, so far. */
  readonly late: number;
  readonly dropped: number;
  readonly throttled: number;
  /** Lives through one second with so many slots. */
  readonly step: (second: number, slots: number) => void;
  /** Counts those who are late although the traffic ended before they got a slot. */
  readonly close: (second: number) => void;
}

/** Who of those at the head of the queue needs no slot, being answered otherwise or refused. */
export type Sparing = (requests: number) => Spared;

const NOBODY: Spared = { answered: 0, throttled: 0 };

/** An empty service before the first second of its traffic. */
export function createQueue(workload: Workload, spare: Sparing = () => NOBODY): Queue {
  return new FifoQueue(workload, spare);
}

/** A class because its fields change millions of times a second of real time. */
class FifoQueue implements Queue {
  inFlight = 0;
  waiting = 0;
  arrived = 0;
  started = 0;
  longestWaitSeconds = 0;
  late = 0;
  dropped = 0;
  throttled = 0;
  /** Number of the request at the head, the second it came in, and how many of that second are left. */
  private head = 0;
  private headSecond = 0;
  private headLeft = 0;
  private readonly departures: Float64Array;

  constructor(
    private readonly workload: Workload,
    private readonly spare: Sparing,
  ) {
    this.departures = new Float64Array(workload.sizes.longestSteps + 1);
  }

  step(second: number, slots: number): void {
    this.depart(second);
    this.arrive(second);
    this.dropImpatient(second);
    this.start(second, Math.floor(slots - this.inFlight + ROUNDING));
  }

  close(second: number): void {
    this.findHead(second);
    while (this.waiting > 0 && second - this.headSecond > LATE_AFTER_SECONDS) {
      if (this.counts()) this.late += this.headLeft;
      this.take(this.headLeft);
      this.findHead(second);
    }
  }

  private depart(second: number): void {
    const slot = second % this.departures.length;
    this.inFlight -= this.departures[slot] ?? 0;
    this.departures[slot] = 0;
  }

  private arrive(second: number): void {
    this.arrived = this.workload.arrivals[second] ?? 0;
    if (this.waiting === 0) {
      this.headSecond = second;
      this.headLeft = this.arrived;
    }
    this.waiting += this.arrived;
  }

  private dropImpatient(second: number): void {
    while (this.waiting > 0 && second - this.headSecond > PATIENCE_SECONDS) {
      if (this.counts()) this.dropped += this.headLeft;
      this.take(this.headLeft);
      this.findHead(second);
    }
  }

  private start(second: number, freeSlots: number): void {
    this.started = 0;
    this.longestWaitSeconds = this.waiting > 0 ? second - this.headSecond : 0;
    let free = freeSlots;
    while (free > 0 && this.waiting > 0) {
      const count = Math.min(free, this.headLeft);
      free -= this.begin(second, count);
      this.findHead(second);
    }
  }

  /** Slots that so many from the head take. A slot comes first, then the model's word: who is refused gives it back. */
  private begin(second: number, count: number): number {
    const { answered, throttled } = this.spare(count);
    const calls = count - answered - throttled;
    this.workload.sizes.begin(this.head + count - calls, calls, second, this.departures);
    if (this.counts()) {
      this.throttled += throttled;
      if (second - this.headSecond > LATE_AFTER_SECONDS) this.late += count - throttled;
    }
    this.started += calls;
    this.inFlight += calls;
    this.take(count);
    return calls;
  }

  private counts(): boolean {
    return this.headSecond >= this.workload.unscoredSeconds;
  }

  private take(count: number): void {
    this.head += count;
    this.headLeft -= count;
    this.waiting -= count;
  }

  private findHead(second: number): void {
    while (this.headLeft === 0 && this.headSecond < second) {
      this.headSecond += 1;
      this.headLeft = this.workload.arrivals[this.headSecond] ?? 0;
    }
  }
}
