/** How many wrong credentials an address may show, and how soon it is forgiven. */
export interface FailureLimits {
  /** Failures in a row before the address has to wait. */
  readonly burst: number;
  /** One failure is forgiven after this long. */
  readonly forgiveMs: number;
  /** Addresses remembered at once; the one that failed longest ago is forgotten first. */
  readonly maxAddresses: number;
}

/**
 * Slows down whoever guesses. Per address it keeps one number, the moment at which everything is forgiven,
 * so memory is bounded whatever the internet does.
 */
export class FailureLimiter {
  readonly #forgivenAtMs = new Map<string, number>();

  constructor(private readonly limits: FailureLimits) {}

  /** How long this address must not try; 0 when it may. */
  waitMs(address: string, nowMs: number): number {
    const { burst, forgiveMs } = this.limits;
    const debtMs = (this.#forgivenAtMs.get(address) ?? nowMs) - nowMs;
    return Math.max(0, debtMs - (burst - 1) * forgiveMs);
  }

  failed(address: string, nowMs: number): void {
    const sinceMs = Math.max(this.#forgivenAtMs.get(address) ?? nowMs, nowMs);
    // Written anew, so that the map stays in the order of the latest failures.
    this.#forgivenAtMs.delete(address);
    this.#forgivenAtMs.set(address, sinceMs + this.limits.forgiveMs);
    if (this.#forgivenAtMs.size > this.limits.maxAddresses) this.#forgetOldest();
  }

  get remembered(): number {
    return this.#forgivenAtMs.size;
  }

  #forgetOldest(): void {
    for (const oldest of this.#forgivenAtMs.keys()) {
      this.#forgivenAtMs.delete(oldest);
      return;
    }
  }
}
