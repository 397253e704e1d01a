import {
  occurrencesBetween,
  type Calendar,
  type PlatformConfiguration,
  type WeeklyEvent,
} from '@matsuri/contract';
import { calendarWorkload } from '../traffic/calendar-workload';
import { expectedTrafficAt, slotsFor } from '../traffic/expected-traffic';
import { workloadOf, type Workload } from '../traffic/workload';

/** Traffic of our own making, with the calendar that announces it. */
export interface AnnouncedTraffic {
  readonly workload: Workload;
  readonly startsAtMs: number;
  readonly calendar: Calendar;
  /** Whose quotas hold, if any do. */
  readonly environment?: PlatformConfiguration;
}

/** When each is played. */
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

/** One kind of shipped traffic, drawn with a seed from what an environment expects. */
export function shippedTraffic(
  name: ShippedTraffic,
  seed: number,
  configuration: PlatformConfiguration,
): AnnouncedTraffic {
  const { from, hours } = SHIPPED[name];
  const startsAtMs = Date.parse(from);
  const seconds = hours * HOUR_SECONDS;
  const drawn = calendarWorkload({
    name,
    configuration,
    startsAtMs,
    seconds,
    seed,
  });
  // A task that cannot hold one request serves nobody: a quiet environment has fewer tasks.
  const workload = drawn.slotsPerTask < 1 ? workloadOf({ ...drawn, slotsPerTask: 1 }) : drawn;
  const endsAtMs = startsAtMs + seconds * 1_000;
  const calendar = sizedCalendar(configuration, workload, startsAtMs, endsAtMs);
  return { workload, startsAtMs, calendar };
}

/** The shipped calendar, its releases as large as tasks of this workload's size have to be. */
function sizedCalendar(
  configuration: PlatformConfiguration,
  workload: Workload,
  fromMs: number,
  toMs: number,
): Calendar {
  const { calendar } = configuration;
  const planned = (event: WeeklyEvent) => {
    const peak = peakSlots(configuration, event, fromMs, toMs);
    return Math.ceil((peak / workload.slotsPerTask) * PLANNED_HEADROOM);
  };
  const weekly = calendar.weekly.map((event) => ({
    ...event,
    tasks: Math.max(event.tasks, planned(event)),
  }));
  return { ...calendar, weekly };
}

/** Slots that an event's releases need within some time, at most. */
function peakSlots(
  configuration: PlatformConfiguration,
  event: WeeklyEvent,
  fromMs: number,
  toMs: number,
): number {
  const { calendar, traffic } = configuration;
  const starts = occurrencesBetween({ ...calendar, events: [], weekly: [event] }, fromMs, toMs);
  const peaks = starts.map(({ startMs }) => {
    const risenAtMs = startMs + traffic.releaseStep.withinSeconds * 1_000;
    return slotsFor(expectedTrafficAt(configuration, risenAtMs));
  });
  return Math.max(0, ...peaks);
}
