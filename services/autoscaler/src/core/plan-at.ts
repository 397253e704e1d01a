import {
  demandAt,
  type ChatAlias,
  type Demand,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { eventFloor } from './floors/event-floor';
import { scheduleFloor } from './floors/schedule-floor';
import type { Floor } from './plan';
import { unitsAt } from './planned';
import { dollars, figure, moment } from './wording';

/** What the clock and the calendar alone will ask for at an instant. Load can only ask for more. */
export interface PlannedAt {
  readonly atMs: number;
  readonly tasks: number;
  readonly floors: readonly Floor[];
  /** Zero everywhere while provisioned throughput is off. */
  readonly units: Readonly<Record<ChatAlias, number>>;
  readonly unitDollarsPerHour: number;
  /** What the traffic model expects then. */
  readonly expected: Demand;
}

export function planAt(configuration: PlatformConfiguration, atMs: number): PlannedAt {
  const { scaling, provisioned } = configuration;
  const event = eventFloor(configuration, atMs);
  const floors = [scheduleFloor(configuration, atMs), ...(event === undefined ? [] : [event])];
  const unitsOf = (alias: ChatAlias) =>
    provisioned.enabled
      ? Math.min(provisioned.maxUnits[alias], unitsAt(configuration, alias, atMs))
      : 0;
  const units = { complex: unitsOf('complex'), simple: unitsOf('simple') };
  const price = provisioned.dollarsPerUnitHour;
  return {
    atMs,
    tasks: Math.min(scaling.maxTasks, Math.max(...floors.map((floor) => floor.tasks))),
    floors,
    units,
    unitDollarsPerHour: units.complex * price.complex + units.simple * price.simple,
    expected: demandAt(configuration, atMs),
  };
}

/** The same for a person. */
export function describePlanAt(configuration: PlatformConfiguration, atMs: number): string {
  const { tasks, floors, units, unitDollarsPerHour, expected } = planAt(configuration, atMs);
  const { timeZone } = configuration.calendar;
  const { complex, simple } = expected.byAlias;
  return [
    `${moment(atMs, timeZone)} ${timeZone}: a floor of ${tasks} tasks`,
    ...floors.map((floor) => `  ${floor.reason}`),
    configuration.provisioned.enabled
      ? `  units: ${units.complex} complex, ${units.simple} simple (${dollars(unitDollarsPerHour)} an hour)`
      : '  units: none, provisioned throughput is off',
    `  expected: ${figure(expected.messagesPerMinute)} messages/min, ${figure(complex.tokensPerSecond)} tokens/s of the ` +
      `complex model, ${figure(simple.tokensPerSecond)} of the simple one`,
  ].join('\n');
}
