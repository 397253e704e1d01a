import type { GatewayRefusal } from './gateway-refusal';

/** Why one target could not take a call, and when it could. */
export interface Denial {
  readonly cause: 'breaker' | 'requests' | 'tokens' | 'too-large';
  readonly waitMs: number;
}

/** What a caller is told whom no target could take: the soonest of the reasons that pass. */
export function refusalOfDenials(denials: readonly Denial[], model: string): GatewayRefusal {
  const passing = denials.filter(({ cause }) => cause !== 'too-large');
  const [soonest] = passing.toSorted((a, b) => a.waitMs - b.waitMs);
  if (soonest === undefined) return { reason: 'tokens-beyond-limit', subject: model };
  const { cause, waitMs } = soonest;
  if (cause === 'requests' || cause === 'tokens') {
    return { reason: `${cause}-limited`, subject: model, waitMs };
  }
  return { reason: 'upstream-throttled', subject: model, waitMs };
}
