import { get } from 'node:http';

import type { CheckOutcome } from './core/target-health';

export interface HealthCheck {
  readonly path: string;
  /** Status codes that pass, such as `200` or `200-299`. */
  readonly matcher: string;
  /** Real time, not virtual: the target runs in real time whatever the clock's scale. */
  readonly timeoutRealMs: number;
}

/** Asks a target for its health path once. */
export function checkTarget(
  target: { readonly id: string; readonly healthPort: number },
  check: HealthCheck,
): Promise<CheckOutcome> {
  return new Promise((resolve) => {
    const request = get(
      {
        host: target.id,
        port: target.healthPort,
        path: check.path,
        agent: false,
        headers: { 'user-agent': 'ELB-HealthChecker/2.0' },
      },
      (response) => {
        response.resume();
        const passed = statusMatches(response.statusCode ?? 0, check.matcher);
        resolve(passed ? { passed } : { passed, reason: 'Target.ResponseCodeMismatch' });
      },
    );
    request.setTimeout(check.timeoutRealMs, () => {
      resolve({ passed: false, reason: 'Target.Timeout' });
      request.destroy();
    });
    request.on('error', () => resolve({ passed: false, reason: 'Target.FailedHealthChecks' }));
  });
}

/** Matches a status against codes and ranges separated by commas. */
function statusMatches(status: number, matcher: string): boolean {
  return matcher.split(',').some((part) => {
    const [low, high = low] = part.split('-').map(Number);
    return low !== undefined && high !== undefined && status >= low && status <= high;
  });
}
