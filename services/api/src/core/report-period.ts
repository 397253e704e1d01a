const MS_PER_DAY = 86_400_000;
const DEFAULT_DAYS = 30;

/** Half open: `from` is in it, `to` is not. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The period a report covers, or what is wrong with the one that was asked for. */
export type PeriodOutcome =
  | { readonly kind: 'period'; readonly period: Period }
  | { readonly kind: 'refused'; readonly because: string };

/** Ends now and covers the last 30 days, as far as nothing else was asked for. */
export function reportPeriod(
  asked: Partial<Period>,
  nowMs: number,
  maxDays: number,
): PeriodOutcome {
  const to = asked.to ?? new Date(nowMs);
  const defaultDays = Math.min(DEFAULT_DAYS, maxDays);
  const from = asked.from ?? new Date(to.getTime() - defaultDays * MS_PER_DAY);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) return { kind: 'refused', because: 'The period ends before it begins.' };
  if (lengthMs > maxDays * MS_PER_DAY) {
    const days = Math.ceil(lengthMs / MS_PER_DAY);
    return {
      kind: 'refused',
      because: `A report covers at most ${maxDays} days; ${days} were asked for. Ask for several periods.`,
    };
  }
  return { kind: 'period', period: { from, to } };
}
