const WITH_OFFSET = /(Z|[+-]\d\d:?\d\d)$/;

/** Epoch milliseconds of an ISO time that carries its offset; undefined for a naive or impossible one. */
export function instantOf(iso: string): number | undefined {
  if (!WITH_OFFSET.test(iso)) return undefined;
  const epochMs = Date.parse(iso);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** Whether a zone is one that `Intl` (and AWS) knows. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
