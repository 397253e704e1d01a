import { z } from 'zod';
import {
  amountSchema,
  countSchema,
  percentSchema,
  perChatAlias,
  positiveInteger,
} from './quantities';

const scaleOutSchema = z.strictObject({
  utilisationPercent: percentSchema,
  predictedPercent: percentSchema,
  /** From here tasks, units and a warm cache are asked for ahead of need. */
  preemptivePercent: percentSchema,
  queueDepth: positiveInteger,
  latencyP99Ms: positiveInteger,
  /** Never fewer than this many tasks at a time. */
  minimumStepTasks: positiveInteger,
  headroomPercent: percentSchema,
  cooldownSeconds: positiveInteger,
});

const scaleInSchema = z.strictObject({
  utilisationPercent: percentSchema,
  queueDepth: positiveInteger,
  latencyP99Ms: positiveInteger,
  /** Nothing shrinks until no higher want was seen for this long. */
  holdSeconds: positiveInteger,
  stepPercent: percentSchema,
  stepSeconds: positiveInteger,
  minimumStepTasks: positiveInteger,
  unitsBelowPercent: percentSchema,
  unitsPerStep: positiveInteger,
  unitsFloor: perChatAlias(countSchema),
});

const emergencySchema = z.strictObject({
  throttles: positiveInteger,
  queueDepth: positiveInteger,
  /** For a queue only: more callers do not end throttling. */
  addTasks: positiveInteger,
  /** Units asked for: the larger of a minimum and a share of the throttles seen. */
  unitsOnThrottle: perChatAlias(
    z.strictObject({ minimum: countSchema, perThrottle: amountSchema }),
  ),
  unitsOnQueue: perChatAlias(countSchema),
});

/** Constants of the capacity loop. */
export const autoscalerSchema = z.strictObject({
  intervalSeconds: positiveInteger,
  historySeconds: positiveInteger,
  regressionSeconds: positiveInteger,
  minimumPoints: positiveInteger,
  predictionSeconds: positiveInteger,
  /** A prediction above this multiple of the recent maximum is not believed. */
  predictionClampFactor: z.number().min(1),
  tokensPerSecondPerTask: positiveInteger,
  scaleOut: scaleOutSchema,
  scaleIn: scaleInSchema,
  emergency: emergencySchema,
  earlySignals: z.strictObject({
    complexLatencyP99Ms: positiveInteger,
    queueFollowsSeconds: positiveInteger,
  }),
  /** Older readings are no readings: hold. */
  staleAfterSeconds: positiveInteger,
  leaseSeconds: positiveInteger,
  /** An unrenewed raise returns to the schedule's floor by AWS's own hand after this long. */
  floorExpirySeconds: positiveInteger,
  prewarmTitles: positiveInteger,
  pageDeduplicationSeconds: positiveInteger,
});

export const DEFAULT_AUTOSCALER: z.input<typeof autoscalerSchema> = {
  intervalSeconds: 10,
  historySeconds: 600,
  regressionSeconds: 300,
  minimumPoints: 6,
  predictionSeconds: 300,
  predictionClampFactor: 2,
  tokensPerSecondPerTask: 500,
  scaleOut: {
    utilisationPercent: 80,
    predictedPercent: 95,
    preemptivePercent: 85,
    queueDepth: 50,
    latencyP99Ms: 4_000,
    minimumStepTasks: 2,
    headroomPercent: 30,
    cooldownSeconds: 60,
  },
  scaleIn: {
    utilisationPercent: 40,
    queueDepth: 10,
    latencyP99Ms: 2_000,
    holdSeconds: 300,
    stepPercent: 10,
    stepSeconds: 30,
    minimumStepTasks: 1,
    unitsBelowPercent: 25,
    unitsPerStep: 1,
    unitsFloor: { complex: 3, simple: 2 },
  },
  emergency: {
    throttles: 1,
    queueDepth: 200,
    addTasks: 10,
    unitsOnThrottle: {
      complex: { minimum: 2, perThrottle: 1 },
      simple: { minimum: 1, perThrottle: 0.5 },
    },
    unitsOnQueue: { complex: 3, simple: 2 },
  },
  earlySignals: { complexLatencyP99Ms: 5_000, queueFollowsSeconds: 30 },
  staleAfterSeconds: 60,
  leaseSeconds: 30,
  floorExpirySeconds: 300,
  prewarmTitles: 100,
  pageDeduplicationSeconds: 900,
};

/** States the autoscaler reports. */
export const SCALING_STATES = [
  'stable',
  'scaling_out',
  'scaling_in',
  'emergency',
  'event_override',
] as const;

export type ScalingState = (typeof SCALING_STATES)[number];

/** States of provisioned throughput, as the ProvisioningState metric names them. */
export const PROVISIONING_STATES = ['SCALING', 'ACTIVE'] as const;
