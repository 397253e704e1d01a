// Printable, no separators of any log or header, and short enough for the ledger.
const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's own request id where it can be kept as it is. */
export function acceptableRequestId(offered: string | undefined): string | undefined {
  return offered !== undefined && ACCEPTABLE.test(offered) ? offered : undefined;
}
