import type { DEGRADATIONS, FALLBACK_RUNGS } from '@matsuri/contract';

export interface Degraded {
  readonly rung: (typeof FALLBACK_RUNGS)[number];
  readonly parts: readonly (typeof DEGRADATIONS)[number][];
  /** Load is being shifted to the small model. */
  readonly shifted: boolean;
}

/**
 * Why an answer is less than it could be, for programs and their developers. It reaches end customers' browsers, so it
 * names no supplier, budget or key, and no component beyond the parts of the frame itself.
 */
type DegradedReason =
  | 'part_missing'
  | 'high_demand'
  | 'model_unavailable'
  | 'limit_reached'
  /** Whoever asked may use the small model only. */
  | 'not_included';

export function degradedReason({ rung, parts, shifted }: Degraded): DegradedReason {
  if (parts.includes('limits')) return 'limit_reached';
  if (parts.includes('model')) return 'model_unavailable';
  if (rung === 'full') return 'part_missing';
  return rung === 'small_model' && !shifted ? 'not_included' : 'high_demand';
}
