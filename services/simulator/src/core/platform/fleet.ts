import { startUpsOf, type StartUp, type StartUps } from './start-up';

/** What a fleet may be. */
export interface FleetLimits {
  readonly minTasks: number;
  readonly maxTasks: number;
  readonly startUp: StartUp;
}

/** What policies may know of the fleet. */
export interface FleetView {
  readonly running: number;
  readonly starting: number;
  /** Running and starting: what was ordered and not given back. */
  readonly desired: number;
  readonly floor: number;
}

/** The one hand through which every policy moves tasks. */
export interface Fleet extends FleetView {
  /** Times the desired count changed. */
  readonly operations: number;
  /** Tasks whose start-up ends begin to serve. */
  readonly wake: (second: number) => void;
  /** Clamped to the limits and never below the floor. */
  readonly order: (second: number, tasks: number) => void;
  /** No order goes below; raising it raises the fleet at once, lowering it removes nobody. */
  readonly setFloor: (second: number, tasks: number) => void;
}

/** A fleet that already runs. */
export function createFleet(limits: FleetLimits, running: number): Fleet {
  return new TaskFleet(limits, running);
}

class TaskFleet implements Fleet {
  running: number;
  starting = 0;
  desired: number;
  floor: number;
  operations = 0;
  /** Tasks that wake at a second, modulo the longest start-up time. */
  private readonly waking: Uint32Array;
  private readonly startUps: StartUps;

  constructor(
    private readonly limits: FleetLimits,
    running: number,
  ) {
    this.running = this.clamp(running);
    this.desired = this.running;
    this.floor = limits.minTasks;
    this.startUps = startUpsOf(limits.startUp);
    this.waking = new Uint32Array(this.startUps.longestSeconds + 1);
  }

  wake(second: number): void {
    const slot = second % this.waking.length;
    const woken = this.waking[slot] ?? 0;
    this.waking[slot] = 0;
    this.starting -= woken;
    this.running += woken;
  }

  order(second: number, tasks: number): void {
    const wanted = this.clamp(Math.max(tasks, this.floor));
    if (wanted === this.desired) return;
    this.operations += 1;
    if (wanted > this.desired) this.startMore(second, wanted - this.desired);
    else this.giveBack(second, this.desired - wanted);
    this.desired = wanted;
  }

  setFloor(second: number, tasks: number): void {
    this.floor = this.clamp(tasks);
    if (this.desired < this.floor) this.order(second, this.floor);
  }

  private clamp(tasks: number): number {
    return Math.min(this.limits.maxTasks, Math.max(this.limits.minTasks, Math.round(tasks)));
  }

  private startMore(second: number, tasks: number): void {
    for (let task = 0; task < tasks; task += 1) {
      const slot = (second + this.startUps.draw()) % this.waking.length;
      this.waking[slot] = (this.waking[slot] ?? 0) + 1;
    }
    this.starting += tasks;
  }

  /** Those first that have the longest way to their first request. */
  private giveBack(second: number, tasks: number): void {
    let left = tasks;
    for (let wait = this.startUps.longestSeconds; wait >= 0 && left > 0; wait -= 1) {
      const slot = (second + wait) % this.waking.length;
      const cancelled = Math.min(left, this.waking[slot] ?? 0);
      this.waking[slot] = (this.waking[slot] ?? 0) - cancelled;
      this.starting -= cancelled;
      left -= cancelled;
    }
    this.running -= left;
  }
}
