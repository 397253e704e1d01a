import { minuteOfTime } from '../calendar/wall-clock';
import type { PlatformConfiguration } from '../configuration/platform';
import { CHAT_ALIASES } from '../models/model-schema';
import { error, figure, type Contradiction } from './contradiction';

interface Wanted {
  readonly who: string;
  readonly units: { readonly complex: number; readonly simple: number };
}

const DAY_MINUTES = 1_440;

/** Windows and events ask for no more units than may be bought. */
export function provisionedUnits(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { maxUnits } = configuration.provisioned;
  return wanted(configuration).flatMap(({ who, units }) =>
    CHAT_ALIASES.filter((alias) => units[alias] > maxUnits[alias]).map((alias) =>
      error(
        'units-over-cap',
        `${who} asks for ${units[alias]} ${alias} units, provisioned.maxUnits.${alias} stops at ${maxUnits[alias]}: it is ` +
          'never reached.',
        `Raise provisioned.maxUnits.${alias} to ${units[alias]}, or lower the units of ${who}.`,
      ),
    ),
  );
}

/** What windows and events ask for can be paid for under the hourly cap. */
export function provisionedBudget(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { dollarsPerUnitHour, maxDollarsPerHour } = configuration.provisioned;
  return wanted(configuration).flatMap(({ who, units }) => {
    const cost = CHAT_ALIASES.reduce(
      (sum, alias) => sum + units[alias] * dollarsPerUnitHour[alias],
      0,
    );
    if (cost <= maxDollarsPerHour) return [];
    return [
      error(
        'units-over-budget',
        `${who} asks for ${units.complex} complex and ${units.simple} simple units, $${figure(cost)} an hour, but ` +
          `provisioned.maxDollarsPerHour is $${figure(maxDollarsPerHour)}: part of it is never bought.`,
        `Raise provisioned.maxDollarsPerHour to ${figure(Math.ceil(cost))}, or lower the units of ${who}.`,
      ),
    ];
  });
}

/** Every minute of the day lies in exactly one window. */
export function provisionedWindows(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { windows } = configuration.provisioned;
  if (windows.length === 0) return [];
  const covered = Array.from({ length: DAY_MINUTES }, () => 0);
  for (const window of windows) {
    const from = minuteOfTime(window.from);
    const length = (minuteOfTime(window.to) - from + DAY_MINUTES) % DAY_MINUTES;
    for (let minute = from; minute < from + length; minute += 1) {
      covered[minute % DAY_MINUTES] = (covered[minute % DAY_MINUTES] ?? 0) + 1;
    }
  }
  const wrong = covered.findIndex((count) => count !== 1);
  return wrong === -1 ? [] : [uncovered(wrong, covered[wrong] ?? 0)];
}

function uncovered(minute: number, count: number): Contradiction {
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  return error(
    'windows-do-not-cover-day',
    `At ${time} ${count === 0 ? 'no window' : `${count} windows`} of provisioned.windows apply: how many units are meant is ` +
      'undefined.',
    'Let each window begin where the one before ends; one may go over midnight.',
  );
}

function wanted({ provisioned, calendar }: PlatformConfiguration): readonly Wanted[] {
  return [
    ...provisioned.windows.map((window) => ({
      who: `the window ${window.from}–${window.to}`,
      units: window.units,
    })),
    ...[...calendar.events, ...calendar.weekly].map((event) => ({
      who: `the event '${event.name}'`,
      units: event.units,
    })),
    { who: 'provisioned.eventUnits', units: provisioned.eventUnits },
  ];
}
