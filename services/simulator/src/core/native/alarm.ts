/** When an alarm counts a reading, and how many in a row it takes. */
export interface AlarmRule {
  readonly periodSeconds: number;
  readonly periods: number;
  readonly breaches: (reading: number) => boolean;
}

/** A metric of CloudWatch is there a little after its period ended. */
export const METRIC_DELAY_SECONDS = 10;

/** A CloudWatch alarm. */
export interface Alarm {
  /** The last reading while the alarm is on and has just been looked at; undefined otherwise. */
  readonly look: (now: number, read: Read) => number | undefined;
  readonly isOn: () => boolean;
}

export type Read = (end: number, seconds: number) => number | undefined;

/** Off until enough periods in a row have breached; a missing reading starts the count again. */
export function createAlarm({ periodSeconds, periods, breaches }: AlarmRule): Alarm {
  let inARow = 0;
  return {
    isOn: () => inARow >= periods,
    look: (now, read) => {
      const end = now - METRIC_DELAY_SECONDS;
      if (end <= 0 || end % periodSeconds !== 0) return undefined;
      const reading = read(end, periodSeconds);
      inARow = reading !== undefined && breaches(reading) ? inARow + 1 : 0;
      return inARow >= periods ? reading : undefined;
    },
  };
}
