import { isTimeZone } from '../calendar/instants';
import type { PlatformConfiguration } from '../configuration/platform';
import { cronExpression } from '../scaling/profile';
import { error, type Contradiction } from './contradiction';

/** Every local time says where it is local. */
export function timeZones(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { scaling, calendar } = configuration;
  return [
    ...scaling.schedule.flatMap((floor) =>
      floor.timeZone === undefined
        ? [withoutZone(floor.name, cronExpression(floor), calendar.timeZone)]
        : unknownZone(`scaling.schedule '${floor.name}'`, floor.timeZone),
    ),
    ...unknownZone('calendar.timeZone', calendar.timeZone),
  ];
}

function withoutZone(name: string, cron: string, expected: string): Contradiction {
  return error(
    'schedule-without-time-zone',
    `The scheduled action '${name}' (${cron}) has no time zone: AWS reads it as UTC, hours away from what ` +
      `${expected} means by it.`,
    `Set timeZone: '${expected}' on '${name}' in scaling.schedule.`,
  );
}

function unknownZone(where: string, timeZone: string): Contradiction[] {
  if (isTimeZone(timeZone)) return [];
  return [
    error(
      'unknown-time-zone',
      `${where} names the time zone '${timeZone}', which is not an IANA zone.`,
      `Use an IANA name such as 'Asia/Tokyo'.`,
    ),
  ];
}
