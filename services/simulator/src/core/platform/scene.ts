import { configure, type Calendar, type PlatformConfiguration } from '@matsuri/contract';
import type { Workload } from '../traffic/workload';
import type { FleetLimits } from './fleet';
import type { StartUp } from './start-up';

const MIN_TASKS = 3;
const MAX_TASKS = 500;

const NO_CALENDAR: Calendar = { timeZone: 'Asia/Tokyo', events: [], weekly: [] };

/** The traffic and the platform that is to serve it. */
export interface Scene {
  readonly workload: Workload;
  readonly limits: FleetLimits;
  /** The platform as policies of our own read it. */
  readonly configuration: PlatformConfiguration;
  /** What the clock shows at second 0. */
  readonly startsAtMs: number;
  /** Whether schedule and calendar speak of this traffic; recorded traces belong to no calendar. */
  readonly calendarKnown: boolean;
}

export interface SceneOptions {
  readonly startUp: StartUp;
  /** @default 1970-01-01: no clock matters without a calendar */
  readonly startsAtMs?: number;
  /** @default none, and no schedule either */
  readonly calendar?: Calendar;
}

/** The same limits for everyone: 3 to 500 tasks. */
export function sceneOf(workload: Workload, options: SceneOptions): Scene {
  const { startUp, startsAtMs = 0, calendar } = options;
  const limits = { minTasks: MIN_TASKS, maxTasks: MAX_TASKS, startUp };
  const configuration = configure({
    scaling: {
      minTasks: MIN_TASKS,
      maxTasks: MAX_TASKS,
      ...(calendar === undefined ? { schedule: [] } : {}),
    },
    calendar: copied(calendar ?? NO_CALENDAR),
    orchestrator: { taskStartSeconds: startUp.seconds },
  });
  return { workload, limits, configuration, startsAtMs, calendarKnown: calendar !== undefined };
}

function copied({ timeZone, events, weekly }: Calendar) {
  return { timeZone, events: [...events], weekly: [...weekly] };
}
