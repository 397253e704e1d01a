/**
 * Failed sign-ins per address: so many at once, then so many a minute. Memory is bounded: an address is forgotten when
 * it has been good for long enough, and when too many are remembered the oldest goes.
 */
export interface AuthFailureLimits {
  readonly burst: number;
  readonly perMinute: number;
  readonly maxAddresses: number;
}

export interface AuthFailures {
  readonly limits: AuthFailureLimits;
  /** When each address has none of its failures left against it. */
  readonly clearAtMs: Map<string, number>;
}

const MINUTE_MS = 60_000;

export function newAuthFailures(limits: AuthFailureLimits): AuthFailures {
  return { limits, clearAtMs: new Map() };
}

export function noteAuthFailure(failures: AuthFailures, address: string, nowMs: number): void {
  const { limits, clearAtMs } = failures;
  const costMs = MINUTE_MS / limits.perMinute;
  const known = clearAtMs.get(address);
  // Most recent last, so that the first is the one to forget.
  if (known !== undefined) clearAtMs.delete(address);
  else makeRoom(failures, nowMs);
  const full = nowMs + limits.burst * costMs;
  clearAtMs.set(address, Math.min(Math.max(known ?? 0, nowMs) + costMs, full + costMs));
}

/** How long an address has to stay away; 0 when it may try. */
export function blockedForMs(failures: AuthFailures, address: string, nowMs: number): number {
  const clearAtMs = failures.clearAtMs.get(address);
  if (clearAtMs === undefined) return 0;
  const { burst, perMinute } = failures.limits;
  return Math.max(0, clearAtMs - nowMs - (burst - 1) * (MINUTE_MS / perMinute));
}

function makeRoom({ limits, clearAtMs }: AuthFailures, nowMs: number): void {
  for (const [address, atMs] of clearAtMs) {
    if (atMs > nowMs && clearAtMs.size < limits.maxAddresses) return;
    clearAtMs.delete(address);
  }
}
