/** Why the database could not be asked. */
export type UnavailableReason =
  'no-connection' | 'connection-lost' | 'deadline' | 'overloaded' | 'closed';

/**
 * The database could not be asked, or its answer never came: the same call may succeed later. What was asked
 * may have happened all the same, unless the reason is `overloaded` or `no-connection`.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly retryable = true;

  constructor(
    readonly reason: UnavailableReason,
    options?: ErrorOptions,
  ) {
    super(`The database is unavailable (${reason})`, options);
  }
}

/** A report was asked for a range that is empty, reversed, or longer than the ledger answers. */
export class ReportRangeError extends Error {
  override readonly name = 'ReportRangeError';

  constructor(
    message: string,
    readonly maxDays: number,
  ) {
    super(message);
  }
}

/** What was handed to the ledger cannot be written: a bug of the caller, never worth a retry. */
export class LedgerInputError extends Error {
  override readonly name = 'LedgerInputError';
}
