/** When the counters of the current UTC day and month start again at zero. */
export function spendResets(nowMs: number): { readonly day: Date; readonly month: Date } {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return {
    day: new Date(Date.UTC(year, month, day + 1)),
    month: new Date(Date.UTC(year, month + 1, 1)),
  };
}
