const SECONDS = /^\d{1,9}$/;

/** The wait a `Retry-After` header asks for, as seconds or as a date; undefined where it says nothing. */
export function retryAfterMs(
  header: string | string[] | undefined,
  nowMs: number,
): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (SECONDS.test(header)) return Number(header) * 1_000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
