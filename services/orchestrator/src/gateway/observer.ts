import type { TokenUsage } from '@matsuri/contract';
import type { GatewayRefusal } from './core/gateway-refusal';
import type { GatewayFigures } from './gateway';
import type { CallTarget } from './ports';

/** Hears what the gateway does, to count it. Nothing it does may throw or wait. */
export interface GatewayObserver {
  /** A call came in; so things are now. */
  came(figures: GatewayFigures): void;
  /** Somebody was turned away for want of room; so things are now. */
  turnedAway(figures: GatewayFigures): void;
  refused(refusal: GatewayRefusal): void;
  /** An attempt was let through, so long after the call came in. */
  attempted(addedMs: number): void;
  throttled(target: CallTarget): void;
  failedOver(from: CallTarget): void;
  /** An attempt was not made because its target's breaker is open. */
  skipped(target: CallTarget): void;
  /** The first content of a stream, or a whole answer, after so long. */
  answered(latencyMs: number): void;
  settled(target: CallTarget, usage: TokenUsage, costMicroUsd: number): void;
}
