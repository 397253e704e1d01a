import type { Cycle } from '../cycle';
import { forecastLoad, type ForecastRule } from '../forecast';
import type { Floor } from '../plan';
import type { EmergencyState } from '../state';
import { emergencyFloor } from './emergency-floor';
import { eventFloor } from './event-floor';
import { predictedFloor } from './predicted-floor';
import { reactiveFloor } from './reactive-floor';
import { scheduleFloor } from './schedule-floor';

export interface Floors {
  /** Everyone who asks; the schedule always does. */
  readonly floors: readonly Floor[];
  readonly emergency: EmergencyState | undefined;
}

/** All asks for tasks. None of them can lower another. */
export function floorsOf(cycle: Cycle, rule: ForecastRule): Floors {
  const { before, configuration, measured, history, nowMs } = cycle;
  const haveTasks = Math.max(before.tasks.floor ?? 0, measured.tasks?.desired ?? 0);
  const emergency = emergencyFloor(before.emergency, measured, haveTasks, configuration, nowMs);
  const forecast =
    measured.atMs === undefined ? undefined : forecastLoad(rule, history, configuration, nowMs);
  const asks = [
    scheduleFloor(configuration, nowMs),
    eventFloor(configuration, nowMs),
    reactiveFloor(cycle),
    predictedFloor(forecast, configuration),
    emergency.floor,
  ];
  return {
    floors: asks.filter((floor): floor is Floor => floor !== undefined),
    emergency: emergency.state,
  };
}
