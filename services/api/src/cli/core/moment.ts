import { durationSeconds } from './duration';

/** A moment given as ISO 8601, as a date (its midnight in UTC), or as a distance from now such as `90d`. */
export function momentOf(text: string, nowMs: number): Date | undefined {
  const aheadSeconds = durationSeconds(text);
  if (aheadSeconds !== undefined) return new Date(nowMs + aheadSeconds * 1_000);
  const moment = new Date(text);
  return ISO.test(text) && !Number.isNaN(moment.getTime()) ? moment : undefined;
}

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
