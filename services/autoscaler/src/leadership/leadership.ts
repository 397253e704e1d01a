import type { LeaseItem, LeaseTable, Time } from '../ports';

/** The lease went to somebody else, or may have: stop at once. */
export class FencedError extends Error {
  override readonly name = 'FencedError';

  constructor(epoch: number) {
    super(`the lease of epoch ${epoch} is no longer ours`);
  }
}

export interface LeadershipOptions {
  readonly table: LeaseTable;
  /** Distinct for every process. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly time: Pick<Time, 'monotonicMs'>;
}

/** Ours for this cycle. */
export interface Term {
  readonly epoch: number;
  /** Throws `FencedError` unless the lease is ours this very moment; asked right before every effect. */
  confirm(): Promise<void>;
}

/** A holder counts itself out this much of the lease before anybody else may count it out. */
const SAFE_SHARE = 2 / 3;

/**
 * Who of several processes is active.
 *
 *   watching ──no beat for leaseMs, or released──► take (new epoch) ──► holding
 *   holding ──beat refused, or none within the safe share──► watching
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  #epoch: number | undefined;
  #safeUntilMs = 0;
  #watched: { readonly item: LeaseItem | undefined; readonly sinceMs: number } | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** Keeps or takes the lease; undefined while somebody else has it. A throw means that nobody knows. */
  async term(): Promise<Term | undefined> {
    const nowMs = this.#options.time.monotonicMs();
    const epoch = (await this.#kept(nowMs)) ?? (await this.#taken(nowMs));
    if (epoch === undefined) return undefined;
    this.#epoch = epoch;
    this.#safeUntilMs = nowMs + this.#options.leaseMs * SAFE_SHARE;
    return { epoch, confirm: () => this.#confirm(epoch) };
  }

  /** Forgets the lease, after a write was refused. */
  lose(): void {
    this.#epoch = undefined;
    this.#watched = undefined;
  }

  /** Lets a successor begin at once. */
  async release(): Promise<void> {
    const epoch = this.#epoch;
    this.lose();
    if (epoch !== undefined) await this.#options.table.release(this.#options.owner, epoch);
  }

  async #kept(nowMs: number): Promise<number | undefined> {
    const epoch = this.#epoch;
    if (epoch === undefined) return undefined;
    if (await this.#options.table.beat(this.#options.owner, epoch)) return epoch;
    this.lose();
    this.#watched = { item: await this.#options.table.read(), sinceMs: nowMs };
    return undefined;
  }

  async #taken(nowMs: number): Promise<number | undefined> {
    const { table, owner, leaseMs } = this.#options;
    const seen = await table.read();
    // A take whose answer was lost, or a lease that was not safe for a while, is ours if a beat still counts.
    if (seen?.owner === owner && (await table.beat(owner, seen.epoch))) return seen.epoch;
    const watched = this.#watched;
    const still = watched !== undefined && isSame(watched.item, seen);
    if (!still) this.#watched = { item: seen, sinceMs: nowMs };
    const isFree = seen === undefined || seen.owner === '';
    const isSilent = still && nowMs - watched.sinceMs >= leaseMs;
    if (!isFree && !isSilent) return undefined;
    if (await table.take(owner, seen)) return (seen?.epoch ?? 0) + 1;
    const now = await table.read();
    return now?.owner === owner ? now.epoch : undefined;
  }

  async #confirm(epoch: number): Promise<void> {
    const { table, owner, time } = this.#options;
    const inTime = () => this.#epoch === epoch && time.monotonicMs() < this.#safeUntilMs;
    if (inTime()) {
      const item = await table.read();
      // Asked again: the answer may have come to a process that slept.
      if (item?.owner === owner && item.epoch === epoch && inTime()) return;
    }
    this.lose();
    throw new FencedError(epoch);
  }
}

function isSame(a: LeaseItem | undefined, b: LeaseItem | undefined): boolean {
  return a?.owner === b?.owner && a?.epoch === b?.epoch && a?.beat === b?.beat;
}
