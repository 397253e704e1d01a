import {
  occurrencesBetween,
  provisionedWindowAt,
  scheduledFloorAt,
  unusableEvents,
  type ChatAlias,
  type Occurrence,
  type PlatformConfiguration,
} from '@matsuri/contract';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Now, a little ahead, and whatever a person asks about. */
const MINUTES_KEPT = 8;

/** The events of one day of the calendar. */
interface Day {
  readonly fromMs: number;
  readonly toMs: number;
  readonly occurrences: readonly Occurrence[];
  readonly dropped: readonly string[];
}

/** What the wall clock alone asks for; it changes on full minutes only. */
interface ClockAsk {
  readonly schedule: { readonly name: string; readonly tasks: number };
  readonly windowUnits: Readonly<Record<ChatAlias, number>>;
}

interface LookedUp {
  day: Day | undefined;
  readonly minutes: Map<number, ClockAsk>;
}

/**
 * A loop asks about the same day and minute again and again, and a configuration never changes: what was looked
 * up is kept with it.
 */
const lookedUp = new WeakMap<PlatformConfiguration, LookedUp>();

/** Events whose lead or run covers an instant. */
export function eventsAt(
  configuration: PlatformConfiguration,
  atMs: number,
): readonly Occurrence[] {
  return dayOf(configuration, atMs).occurrences.filter(
    (it) => it.leadFromMs <= atMs && atMs < it.endMs,
  );
}

/** Units the windows and events ask for at an instant, lead time included, before any cap. */
export function unitsAt(
  configuration: PlatformConfiguration,
  alias: ChatAlias,
  atMs: number,
): number {
  return mostUnits(configuration, alias, atMs, eventsAt(configuration, atMs));
}

/** Units that have to serve at an instant: a lead time is for getting ready. */
export function servingUnitsAt(
  configuration: PlatformConfiguration,
  alias: ChatAlias,
  atMs: number,
): number {
  const running = eventsAt(configuration, atMs).filter((it) => it.startMs <= atMs);
  return mostUnits(configuration, alias, atMs, running);
}

function mostUnits(
  configuration: PlatformConfiguration,
  alias: ChatAlias,
  atMs: number,
  events: readonly Occurrence[],
): number {
  const window = clockAskAt(configuration, atMs).windowUnits[alias];
  return events.reduce((most, it) => Math.max(most, it.event.units[alias]), window);
}

/** The floor of the schedule at an instant, and its name. */
export function scheduleAt(
  configuration: PlatformConfiguration,
  atMs: number,
): ClockAsk['schedule'] {
  return clockAskAt(configuration, atMs).schedule;
}

/** Entries of the calendar nobody prepares for, since their times cannot be understood. */
export function droppedEntries(
  configuration: PlatformConfiguration,
  atMs: number,
): readonly string[] {
  return dayOf(configuration, atMs).dropped;
}

function dayOf(configuration: PlatformConfiguration, atMs: number): Day {
  const known = memoryOf(configuration);
  if (known.day !== undefined && known.day.fromMs <= atMs && atMs < known.day.toMs) {
    return known.day;
  }
  const fromMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  // An hour more, since decisions look ahead over midnight.
  const toMs = fromMs + DAY_MS + HOUR_MS;
  const { calendar } = configuration;
  const occurrences = occurrencesBetween(calendar, fromMs, toMs);
  known.day = { fromMs, toMs, occurrences, dropped: unusableEvents(calendar) };
  return known.day;
}

function clockAskAt(configuration: PlatformConfiguration, atMs: number): ClockAsk {
  const { minutes } = memoryOf(configuration);
  const minute = Math.floor(atMs / MINUTE_MS);
  const known = minutes.get(minute);
  if (known !== undefined) return known;
  if (minutes.size >= MINUTES_KEPT) minutes.clear();
  const ask = clockAsk(configuration, minute * MINUTE_MS);
  minutes.set(minute, ask);
  return ask;
}

function clockAsk(configuration: PlatformConfiguration, atMs: number): ClockAsk {
  const { scaling, provisioned, calendar } = configuration;
  const scheduled = scheduledFloorAt(scaling.schedule, atMs);
  const window = provisionedWindowAt(provisioned.windows, atMs, calendar.timeZone);
  return {
    schedule:
      scheduled === undefined || scheduled.minTasks < scaling.minTasks
        ? { name: 'minimum', tasks: scaling.minTasks }
        : { name: scheduled.name, tasks: scheduled.minTasks },
    windowUnits: window?.units ?? { complex: 0, simple: 0 },
  };
}

function memoryOf(configuration: PlatformConfiguration): LookedUp {
  const known = lookedUp.get(configuration);
  if (known !== undefined) return known;
  const made: LookedUp = { day: undefined, minutes: new Map() };
  lookedUp.set(configuration, made);
  return made;
}
