import { z } from 'zod';
import { positiveInteger } from './quantities';

/** What is done on throttles instead of adding tasks, mildest first. */
export const MITIGATIONS = [
  'coalesce',
  'shift_to_simple',
  'extend_cache',
  'templates',
  'page',
] as const;

export type Mitigation = (typeof MITIGATIONS)[number];

export const mitigationsSchema = z.strictObject({
  /** A flag nobody renews ends by itself. */
  flagSeconds: positiveInteger,
  cacheSeconds: z.strictObject({
    normal: positiveInteger,
    event: positiveInteger,
    throttled: positiveInteger,
  }),
  /** Throttles are expected to stop within this; else it escalates. */
  clearsWithinSeconds: positiveInteger,
  /** One mitigation is taken back after each of these, strongest first. */
  revertStepSeconds: positiveInteger,
});

export const DEFAULT_MITIGATIONS: z.input<typeof mitigationsSchema> = {
  flagSeconds: 120,
  cacheSeconds: { normal: 30, event: 90, throttled: 120 },
  clearsWithinSeconds: 300,
  revertStepSeconds: 60,
};
