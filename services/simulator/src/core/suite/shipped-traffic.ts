import {
  defaultConfiguration,
  occurrencesBetween,
  type Calendar,
  type WeeklyEvent,
} from '@matsuri/contract';
import { calendarWorkload } from '../traffic/calendar-workload';
import { expectedTrafficAt, slotsFor } from '../traffic/expected-traffic';
import type { Workload } from '../traffic/workload';

/** Traffic of our own making, with the calendar that announces it. */
export interface AnnouncedTraffic {
  readonly workload: Workload;
  readonly startsAtMs: number;
  readonly calendar: Calendar;
}

const SHIPPED = {
  /** Every kind of day, and the release of Monday midnight. */
  jst_week: { from: '2026-06-02T06:00:00+09:00', hours: 7 * 24 },
  release_night: { from: '2026-06-07T20:00:00+09:00', hours: 9 },
} as const;

export type ShippedTraffic = keyof typeof SHIPPED;

export const SHIPPED_TRAFFIC: readonly ShippedTraffic[] = ['jst_week', 'release_night'];

const HOUR_SECONDS = 3_600;
/** What a careful planner adds to the expected peak. */
const PLANNED_HEADROOM = 1.25;

/** One kind of shipped traffic, drawn with a seed. */
export function shippedTraffic(name: ShippedTraffic, seed: number): AnnouncedTraffic {
  const { from, hours } = SHIPPED[name];
  const startsAtMs = Date.parse(from);
  const seconds = hours * HOUR_SECONDS;
  const workload = calendarWorkload({
    name,
    configuration: defaultConfiguration,
    startsAtMs,
    seconds,
    seed,
  });
  const endsAtMs = startsAtMs + seconds * 1_000;
  return { workload, startsAtMs, calendar: sizedCalendar(workload, startsAtMs, endsAtMs) };
}

/** The shipped calendar, its releases as large as tasks of this workload's size have to be. */
function sizedCalendar(workload: Workload, fromMs: number, toMs: number): Calendar {
  const { calendar } = defaultConfiguration;
  const weekly = calendar.weekly.map((event) => ({
    ...event,
    tasks: plannedTasks(event, workload, fromMs, toMs),
  }));
  return { ...calendar, weekly };
}

function plannedTasks(
  event: WeeklyEvent,
  { slotsPerTask }: Workload,
  fromMs: number,
  toMs: number,
): number {
  const { calendar, traffic } = defaultConfiguration;
  const starts = occurrencesBetween({ ...calendar, events: [], weekly: [event] }, fromMs, toMs);
  const peaks = starts.map(({ startMs }) => {
    const risenAtMs = startMs + traffic.releaseStep.withinSeconds * 1_000;
    return slotsFor(expectedTrafficAt(defaultConfiguration, risenAtMs));
  });
  const planned = (Math.max(0, ...peaks) / slotsPerTask) * PLANNED_HEADROOM;
  return Math.max(event.tasks, Math.ceil(planned));
}
