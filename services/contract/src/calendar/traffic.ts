import { z } from 'zod';
import {
  amountSchema,
  percentSchema,
  perChatAlias,
  positiveInteger,
} from '../configuration/quantities';
import { releaseStepSchema } from './calendar-schema';

const weekdayPercentSchema = z.strictObject({
  SUN: z.number(),
  MON: z.number(),
  TUE: z.number(),
  WED: z.number(),
  THU: z.number(),
  FRI: z.number(),
  SAT: z.number(),
});

/** The shape of ordinary demand, from which peaks are computed. */
export const trafficSchema = z.strictObject({
  messagesPerDay: positiveInteger,
  /** Share of the daily peak, one figure for each hour of the local day. */
  hourlySharePercent: z.array(percentSchema).length(24),
  /** What a weekday adds to an ordinary day. */
  weekdayModifierPercent: weekdayPercentSchema,
  /** Answers that never reach a model. */
  expectedCacheHitPercent: percentSchema,
  /** Of the answers that reach a model, those that need the complex one. */
  complexSharePercent: percentSchema,
  averageInputTokens: perChatAlias(amountSchema),
  averageOutputTokens: perChatAlias(amountSchema),
  releaseStep: releaseStepSchema,
});

/** A day that wakes at six, eats at noon and peaks from seven to eleven in the evening. */
export const DEFAULT_TRAFFIC: z.input<typeof trafficSchema> = {
  messagesPerDay: 1_000_000,
  hourlySharePercent: [
    60, 35, 15, 15, 15, 15, 20, 27, 34, 40, 40, 40, 60, 45, 45, 45, 45, 60, 80, 100, 100, 100, 100,
    80,
  ],
  weekdayModifierPercent: { SUN: 25, MON: 30, TUE: 0, WED: 0, THU: 0, FRI: 15, SAT: 40 },
  expectedCacheHitPercent: 30,
  complexSharePercent: 40,
  // Between a greeting of ~50 tokens and a multi-turn recommendation of ~2,000.
  averageInputTokens: { complex: 1_600, simple: 600 },
  averageOutputTokens: { complex: 400, simple: 150 },
  releaseStep: {
    requestFactor: 5,
    withinSeconds: 60,
    complexShareFactor: 2,
    tokenFactor: 3,
    demandFactor: { low: 10, high: 15 },
  },
};
