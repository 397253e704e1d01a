import { DatabaseUnavailableError } from '../errors';
import type { UnavailableReason } from '../errors';

const DIAL_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const LOSS_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED']);

// 57P0x: shut down, crashed, starting up. 53xxx: out of connections, memory or disk. 25006: a writer that
// has become a reader. 57014: cancelled by statement_timeout. 55P03: lock_timeout. 40xxx: retry the transaction.
const STATES: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^57P03$|^08001$|^08004$/, 'no-connection'],
  [/^08|^57P0[1245]$|^25006$/, 'connection-lost'],
  [/^57014$|^55P03$/, 'deadline'],
  [/^53|^40/, 'overloaded'],
];

// The driver reports these by message only.
const MESSAGES: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/timeout exceeded when trying to connect|due to connection timeout/, 'no-connection'],
  [
    /Connection terminated|Client has encountered a connection error|not queryable/,
    'connection-lost',
  ],
  [/Query read timeout/, 'deadline'],
  [/Cannot use a pool after calling end/, 'closed'],
];

/**
 * One kind of error for "ask again later", everything else as the driver threw it. Wrappers that
 * carry the statement's parameters are taken off, so that no digest reaches a log.
 */
export function translateFailure(error: unknown): Error {
  if (error instanceof DatabaseUnavailableError) return error;
  const root = rootCause(error);
  const reason = unavailableReason(root);
  return reason === undefined ? root : new DatabaseUnavailableError(reason, { cause: root });
}

function rootCause(error: unknown): Error {
  if (!isError(error)) return new Error('The database driver threw no error', { cause: error });
  return sqlState(error) === undefined && isError(error.cause) ? rootCause(error.cause) : error;
}

function unavailableReason(error: Error): UnavailableReason | undefined {
  const code = sqlState(error);
  if (code !== undefined && DIAL_CODES.has(code)) return 'no-connection';
  if (code !== undefined && LOSS_CODES.has(code)) return 'connection-lost';
  const byState = STATES.find(([pattern]) => code !== undefined && pattern.test(code));
  const byMessage = MESSAGES.find(([pattern]) => pattern.test(error.message));
  return (byState ?? byMessage)?.[1];
}

/** The SQLSTATE of a server's error, or the system's code of a socket's. */
export function sqlState(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Also of another realm, where `instanceof` does not see it. */
export function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]';
}
