/** The two periods a spend cap may cover. Both are UTC, like the bill they protect. */
export type SpendPeriod = 'day' | 'month';

/** When the period that holds `day` (`YYYY-MM-DD`) ends, and its counters start again at zero. */
export function periodEnd(period: SpendPeriod, day: string): Date {
  const start = new Date(`${day}T00:00:00Z`);
  const year = start.getUTCFullYear();
  const month = start.getUTCMonth();
  return period === 'month'
    ? new Date(Date.UTC(year, month + 1, 1))
    : new Date(Date.UTC(year, month, start.getUTCDate() + 1));
}
