import type { BreakerOutcome, BreakerPhase, BreakerSettings } from '../src/core/breaker';

interface Call {
  readonly second: number;
  readonly failed: boolean;
  readonly slow: boolean;
}

interface Permit {
  readonly period: Period;
  readonly sinceMs: number;
}

/** One stay in one phase. A permit points at the stay that issued it, so a stale one needs no number to be told. */
interface Period {
  readonly phase: BreakerPhase;
  readonly waitUntilMs: number;
  readonly calls: Call[];
  readonly probes: Set<Permit>;
  busySinceMs: number;
  successes: number;
}

/** The breaker as its description reads: whole histories, searched afresh for every decision. */
export class ReferenceBreaker {
  period: Period = periodOf('closed');
  #openings = 0;
  #holds = 0;

  constructor(private readonly rules: BreakerSettings) {}

  acquire(nowMs: number): Permit | undefined {
    if (this.#hung(nowMs)) this.#break(nowMs);
    if (this.period.phase === 'open' && nowMs >= this.period.waitUntilMs) {
      this.period = periodOf('half-open');
    }
    const { phase, probes, successes } = this.period;
    const permit = { period: this.period, sinceMs: nowMs };
    if (phase === 'closed') return permit;
    if (phase !== 'half-open') return undefined;
    if (probes.size >= this.rules.halfOpenPermits) return undefined;
    if (probes.size + successes >= this.#enough) return undefined;
    if (probes.size === 0) this.period.busySinceMs = nowMs;
    probes.add(permit);
    return permit;
  }

  answer(permit: Permit, outcome: BreakerOutcome, nowMs: number): void {
    if (permit.period !== this.period) return;
    if (this.#hung(nowMs)) {
      this.#break(nowMs);
      return;
    }
    this.period.probes.delete(permit);
    if (outcome === 'ignored') return;
    const failed = outcome === 'failure';
    const slow = nowMs - permit.sinceMs >= this.rules.slowCallMs;
    this.period.calls.push({ second: Math.floor(nowMs / this.rules.bucketMs), failed, slow });
    if (this.period.phase === 'half-open') {
      if (failed || slow) this.#break(nowMs);
      else if (++this.period.successes === this.rules.successesToClose) this.#close();
    } else if (this.#tooBad(nowMs)) this.#break(nowMs);
  }

  hold(): void {
    if (this.#holds++ === 0) this.period = periodOf('isolated');
  }

  letGo(): void {
    if (this.#holds > 0 && --this.#holds === 0) this.#close();
  }

  get #enough(): number {
    return Math.max(this.rules.halfOpenPermits, this.rules.successesToClose);
  }

  #hung(nowMs: number): boolean {
    const { phase, probes, busySinceMs } = this.period;
    return (
      phase === 'half-open' &&
      probes.size > 0 &&
      nowMs - busySinceMs >= this.rules.maxHalfOpenWaitMs
    );
  }

  #tooBad(nowMs: number): boolean {
    const oldest = Math.floor(nowMs / this.rules.bucketMs) - this.rules.windowBuckets + 1;
    const recent = this.period.calls.filter((call) => call.second >= oldest);
    const share = (bad: (call: Call) => boolean): number =>
      recent.filter(bad).length / recent.length;
    if (recent.length < this.rules.minimumCalls) return false;
    if (share((call) => call.failed) >= this.rules.failureRate) return true;
    return (
      this.rules.slowCallMs < Infinity && share((call) => call.slow) >= this.rules.slowCallRate
    );
  }

  #break(nowMs: number): void {
    let waitMs = this.rules.openMs;
    for (let n = 0; n < this.#openings; n++)
      waitMs = Math.min(waitMs * this.rules.reopenFactor, this.rules.maxOpenMs);
    this.#openings++;
    this.period = periodOf('open', nowMs + waitMs);
  }

  #close(): void {
    this.#openings = 0;
    this.period = periodOf('closed');
  }
}

const periodOf = (phase: BreakerPhase, waitUntilMs = 0): Period => ({
  phase,
  waitUntilMs,
  calls: [],
  probes: new Set(),
  busySinceMs: 0,
  successes: 0,
});
