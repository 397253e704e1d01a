const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A duration as OpenAI writes it: `120ms`, `1.5s`, `6m0s`, `1h0m0s`. Parts of a millisecond count as one. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, Math.ceil(durationMs));
  if (ms > 0 && ms < SECOND_MS) return `${ms}ms`;
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / SECOND_MS;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
