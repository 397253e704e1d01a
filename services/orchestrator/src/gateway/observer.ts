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
  /** A call was refused, or went to another model than it should have, because a breaker is open; once per call. */
  fellBack(): void;
  /**
   * A caller had the first content of a stream or a whole answer, or was kept waiting in vain, for so long. Who is
   * refused at once is not heard of here.
   */
  waited(latencyMs: number): void;
  settled(target: CallTarget, usage: TokenUsage, costMicroUsd: number): void;
}
