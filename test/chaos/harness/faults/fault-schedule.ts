import type { Cluster } from '../cluster';
import type { PlannedFault } from './fault-plan';
import { inject } from './inject';

/** Injects faults as a run reaches their calls; of one thing, one after the other. */
export class FaultSchedule {
  readonly #cluster: Cluster;
  #waiting: readonly PlannedFault[];
  readonly #running = new Map<string, Promise<void>>();
  readonly #injected = new Map<string, number>();

  constructor(cluster: Cluster, faults: readonly PlannedFault[]) {
    this.#cluster = cluster;
    this.#waiting = faults.toSorted((a, b) => a.atCall - b.atCall);
  }

  /** How often each fault was injected. */
  get injected(): ReadonlyMap<string, number> {
    return this.#injected;
  }

  /** So many calls have begun. */
  reach(begun: number): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].atCall <= begun) {
      const [{ fault }, ...rest] = [this.#waiting[0], ...this.#waiting.slice(1)];
      this.#waiting = rest;
      const name = `${fault.target} ${fault.kind}`;
      this.#injected.set(name, (this.#injected.get(name) ?? 0) + 1);
      const before = this.#running.get(fault.target) ?? Promise.resolve();
      const after = before.then(() => inject(this.#cluster, fault));
      // Whoever waits for the end hears of a failure; until then it must not count as unhandled.
      after.catch(() => undefined);
      this.#running.set(fault.target, after);
    }
  }

  /** Resolves when everything injected has been healed. */
  async healed(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
