import { defaultConfiguration, type Calendar, type PlatformConfiguration } from '@matsuri/contract';
import { tokenScale } from '../models/token-scale';
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
  /** Whose models, quotas and prices stand behind the tasks. */
  readonly environment: PlatformConfiguration;
  /** Whether its quotas hold. */
  readonly limited: boolean;
  /** What the clock shows at second 0. */
  readonly startsAtMs: number;
  /** How old a metric is when whoever reads it from CloudWatch gets it, beyond its period. */
  readonly metricDelaySeconds: number;
  /** Whether schedule and calendar speak of this traffic; recorded traces belong to no calendar. */
  readonly calendarKnown: boolean;
}

export interface SceneOptions {
  readonly startUp: StartUp;
  /** @default 1970-01-01: no clock matters without a calendar */
  readonly startsAtMs?: number;
  /** @default none, and no schedule either */
  readonly calendar?: Calendar;
  /** @default 0: as in the published figures, everybody sees the second before */
  readonly metricDelaySeconds?: number;
  /** An environment whose quotas hold. @default the shipped one, without quotas */
  readonly environment?: PlatformConfiguration;
}

/** The same limits for everyone: 3 to 500 tasks. */
export function sceneOf(workload: Workload, options: SceneOptions): Scene {
  const { startUp, startsAtMs = 0, metricDelaySeconds = 0, calendar, environment } = options;
  const limits = { minTasks: MIN_TASKS, maxTasks: MAX_TASKS, startUp };
  const base = environment === undefined ? defaultConfiguration : scaled(environment, workload);
  const { minTasks, maxTasks } = limits;
  const configuration = {
    ...base,
    scaling: {
      ...base.scaling,
      minTasks,
      maxTasks,
      schedule: calendar === undefined ? [] : base.scaling.schedule,
    },
    calendar: calendar ?? NO_CALENDAR,
    orchestrator: { ...base.orchestrator, taskStartSeconds: startUp.seconds },
  };
  return {
    workload,
    limits,
    configuration,
    environment: environment ?? defaultConfiguration,
    limited: environment !== undefined,
    startsAtMs,
    metricDelaySeconds,
    calendarKnown: calendar !== undefined,
  };
}

/** Tokens are reported as those of tasks as configured, so what they are held against grows with them. */
function scaled(environment: PlatformConfiguration, workload: Workload): PlatformConfiguration {
  const scale = tokenScale(environment, workload);
  const { quotas, provisioned } = environment;
  const { complex, simple } = provisioned.tokensPerSecondPerUnit;
  return {
    ...environment,
    quotas: quotas.map((quota) => ({
      ...quota,
      requestsPerMinute: quota.requestsPerMinute * scale,
      tokensPerMinute: quota.tokensPerMinute * scale,
    })),
    provisioned: {
      ...provisioned,
      tokensPerSecondPerUnit: { complex: complex * scale, simple: simple * scale },
    },
  };
}
