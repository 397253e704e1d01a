import { instantOf } from '../calendar/instants';
import type { PlatformConfiguration } from '../configuration/platform';
import { error, warning, type Contradiction } from './contradiction';

type Event = PlatformConfiguration['calendar']['events'][number];

/** Event times mean one moment, and ends come after starts. */
export function eventTimes(configuration: PlatformConfiguration): readonly Contradiction[] {
  return configuration.calendar.events.flatMap((event) => [
    ...naiveTimes(event),
    ...endsBeforeStart(event),
  ]);
}

/** Overlapping events are allowed; people should know that they do not add up. */
export function overlappingEvents(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  const events = configuration.calendar.events.filter((event) => !isOver(event, nowMs));
  return events.flatMap((first, index) =>
    events
      .slice(index + 1)
      .filter((second) => overlap(first, second))
      .map((second) => overlapWarning(first, second)),
  );
}

/** Names tell events apart: scheduled actions are called after them. */
export function eventNames(configuration: PlatformConfiguration): readonly Contradiction[] {
  const names = [...configuration.calendar.events, ...configuration.calendar.weekly].map(
    (event) => event.name,
  );
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) =>
    error(
      'event-name-twice',
      `Two events are called '${name}': the scheduled actions of the second would replace those of the first.`,
      `Give each event of calendar.events and calendar.weekly a name of its own, such as '${name}_2'.`,
    ),
  );
}

function naiveTimes(event: Event): Contradiction[] {
  const naive = [event.start, event.end].filter((time) => instantOf(time) === undefined);
  if (naive.length === 0) return [];
  return [
    error(
      'event-naive-time',
      `The event '${event.name}' has a time without an offset (${naive.join(', ')}): it would mean a different ` +
        'moment on every machine.',
      `Write it with its offset, e.g. '${naive[0] ?? ''}+09:00' for Japan.`,
    ),
  ];
}

function endsBeforeStart(event: Event): Contradiction[] {
  const start = instantOf(event.start);
  const end = instantOf(event.end);
  if (start === undefined || end === undefined || start < end) return [];
  return [
    error(
      'event-ends-before-start',
      `The event '${event.name}' ends (${event.end}) before or when it starts (${event.start}): it never happens.`,
      `Correct start or end of '${event.name}' in calendar.events.`,
    ),
  ];
}

function isOver(event: Event, nowMs: number): boolean {
  return (instantOf(event.end) ?? Infinity) <= nowMs;
}

function overlap(first: Event, second: Event): boolean {
  const [a, b, c, d] = [first.start, first.end, second.start, second.end].map(instantOf);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  return a < d && c < b;
}

function overlapWarning(first: Event, second: Event): Contradiction {
  const tasks = Math.max(first.tasks, second.tasks);
  return warning(
    'events-overlap',
    `'${first.name}' (until ${first.end}) and '${second.name}' (from ${second.start}) overlap: the maximum applies ` +
      `(${tasks} tasks, ${Math.max(first.multiplier, second.multiplier)}x traffic), not the sum.`,
    'Nothing, if the maximum is meant; otherwise give the overlap an event of its own with higher floors.',
  );
}
