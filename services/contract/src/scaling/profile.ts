import { z } from 'zod';
import type { DeepReadonly } from '../configuration/deep';
import { countSchema, positiveInteger, timeOfDaySchema } from '../configuration/quantities';
import { SCALING_POLICIES } from '../names/scaling';

const policyNameSchema = z.enum(SCALING_POLICIES);

/** What a policy looks at. */
export const SCALING_SIGNALS = [
  'cpuPercent',
  'requestsPerTargetPerMinute',
  /** Average per task × the desired five: adding tasks lowers it, so the steps converge. */
  'normalisedWebSocketConnections',
  'bedrockQueueDepthMaximum',
  'activeInvocationsPerTask',
  'requestLatencyP99MaximumMs',
] as const;

const signalSchema = z.enum(SCALING_SIGNALS);

const targetTrackingSchema = z.strictObject({
  name: policyNameSchema,
  signal: signalSchema,
  target: z.number().positive(),
  scaleOutCooldownSeconds: countSchema,
  scaleInCooldownSeconds: countSchema,
});

/** Bounds are readings of the signal, not distances from the alarm's threshold. */
const stepSchema = z.strictObject({
  from: z.number(),
  to: z.number().optional(),
  addTasks: z.int(),
});

const alarmedStepsSchema = z.strictObject({
  /** The reading that must be passed for `forSeconds`: upward when tasks are added, else downward. */
  threshold: z.number(),
  /** Whether a reading equal to the threshold counts. */
  inclusive: z.boolean(),
  forSeconds: positiveInteger,
  periodSeconds: positiveInteger,
  cooldownSeconds: countSchema,
  steps: z.array(stepSchema).min(1),
});

const stepPolicySchema = z.strictObject({
  name: policyNameSchema,
  signal: signalSchema,
  scaleOut: alarmedStepsSchema,
  scaleIn: alarmedStepsSchema.optional(),
});

export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;

export const weekdaySchema = z.enum(WEEKDAYS);

const scheduledFloorSchema = z.strictObject({
  name: z.string().min(1),
  days: z.array(weekdaySchema).min(1),
  at: timeOfDaySchema,
  /** IANA zone. Without it AWS reads the time as UTC; a truth check asks for it. */
  timeZone: z.string().min(1).optional(),
  minTasks: positiveInteger,
});

export const scalingProfileSchema = z.strictObject({
  minTasks: positiveInteger,
  maxTasks: positiveInteger,
  targetTracking: z.array(targetTrackingSchema),
  steps: z.array(stepPolicySchema),
  schedule: z.array(scheduledFloorSchema),
  /** The floor of an event that names none. */
  eventMinTasks: positiveInteger,
});

export type Weekday = z.output<typeof weekdaySchema>;
export type ScheduledFloor = DeepReadonly<z.output<typeof scheduledFloorSchema>>;

/** The schedule expression Application Auto Scaling takes, e.g. `cron(0 6 ? * MON-FRI *)`. */
export function cronExpression(floor: Pick<ScheduledFloor, 'days' | 'at'>): string {
  const [hour = '0', minute = '0'] = floor.at.split(':');
  return `cron(${Number(minute)} ${Number(hour)} ? * ${cronDays(floor.days)} *)`;
}

function cronDays(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return '*';
  const positions = WEEKDAYS.flatMap((day, index) => (days.includes(day) ? [index] : []));
  const [first = 0, last = first] = [positions[0], positions.at(-1)];
  const unbroken = positions.length > 2 && last - first === positions.length - 1;
  return unbroken
    ? `${dayAt(first)}-${dayAt(last)}`
    : positions.map((position) => dayAt(position)).join(',');
}

function dayAt(position: number): string {
  return WEEKDAYS[position] ?? '';
}
