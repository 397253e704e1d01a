import type { z } from 'zod';
import { SCHEDULED_ACTIONS } from '../names/scaling';
import {
  CPU_TARGET,
  INVOCATIONS_TARGET,
  LATENCY_STEPS,
  QUEUE_DEPTH_EMERGENCY,
  QUEUE_DEPTH_STEPS,
  REQUEST_COUNT_TARGET,
  WEB_SOCKET_STEPS,
} from './policies';
import { WEEKDAYS, type scalingProfileSchema, type Weekday } from './profile';

const WORKING_DAYS: Weekday[] = ['MON', 'TUE', 'WED', 'THU', 'FRI'];
const EVERY_DAY: Weekday[] = [...WEEKDAYS];
const timeZone = 'Asia/Tokyo';

/**
 * The two ways the orchestrator service scales. `baseline` knows CPU, requests and connections;
 * `genai` also knows queues, invocations and latency, and follows the Japanese evening.
 */
export const SCALING_PROFILES = {
  baseline: {
    minTasks: 3,
    maxTasks: 50,
    targetTracking: [CPU_TARGET, REQUEST_COUNT_TARGET],
    steps: [WEB_SOCKET_STEPS],
    schedule: [
      {
        name: SCHEDULED_ACTIONS.weekdayPeak,
        days: WORKING_DAYS,
        at: '06:00',
        timeZone,
        minTasks: 10,
      },
      {
        name: SCHEDULED_ACTIONS.weekdayOffPeak,
        days: WORKING_DAYS,
        at: '22:00',
        timeZone,
        minTasks: 3,
      },
    ],
    eventMinTasks: 20,
  },
  genai: {
    minTasks: 5,
    maxTasks: 100,
    targetTracking: [CPU_TARGET, REQUEST_COUNT_TARGET, INVOCATIONS_TARGET],
    steps: [WEB_SOCKET_STEPS, QUEUE_DEPTH_STEPS, QUEUE_DEPTH_EMERGENCY, LATENCY_STEPS],
    schedule: [
      {
        name: SCHEDULED_ACTIONS.overnightTrough,
        days: EVERY_DAY,
        at: '02:00',
        timeZone,
        minTasks: 5,
      },
      { name: SCHEDULED_ACTIONS.morningRamp, days: EVERY_DAY, at: '06:00', timeZone, minTasks: 10 },
      {
        name: SCHEDULED_ACTIONS.eveningPreScale,
        days: EVERY_DAY,
        at: '17:00',
        timeZone,
        minTasks: 30,
      },
      { name: SCHEDULED_ACTIONS.lateEvening, days: EVERY_DAY, at: '23:30', timeZone, minTasks: 10 },
    ],
    eventMinTasks: 20,
  },
} satisfies Record<string, z.input<typeof scalingProfileSchema>>;

export type ScalingProfileName = keyof typeof SCALING_PROFILES;
