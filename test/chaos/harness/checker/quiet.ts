import type { Evidence } from '../evidence';
import type { Violation } from './violation';

/** Once nothing happens, nothing is open, nothing stays for ever, and no process has said what it should not. */
export function quiet({ stillOpen, redisKeys, logProblems }: Evidence): readonly Violation[] {
  return [
    ...stillOpen
      .filter(({ count, allowed }) => count > allowed)
      .map(({ what, count, allowed }) =>
        violation(what, `${count} open, at most ${allowed} may be`),
      ),
    ...redisKeys
      .filter(({ ttlMs }) => ttlMs < 0)
      .map(({ key }) => violation(key, 'stays in Redis for ever')),
    ...logProblems.map(({ gateway, line }) => violation(gateway, `logged: ${line}`)),
  ];
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'quiet', subject, message };
}
