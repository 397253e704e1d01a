/** No report looks at more than this; older rows are for an archive. */
export const MAX_REPORT_DAYS = 90;

const MS_PER_DAY = 86_400_000;

/** Half open: `from` is in it, `to` is not. */
export interface ReportRange {
  readonly from: Date;
  readonly to: Date;
}

/** What is wrong with a range; `undefined` if it may be asked. */
export function rangeProblem({ from, to }: ReportRange): string | undefined {
  const lengthMs = to.getTime() - from.getTime();
  if (Number.isNaN(lengthMs)) return 'The range has a bound that is no date';
  if (lengthMs <= 0) return 'The range ends before it starts';
  if (lengthMs > MAX_REPORT_DAYS * MS_PER_DAY) {
    return `The range is longer than ${MAX_REPORT_DAYS} days`;
  }
  return undefined;
}
