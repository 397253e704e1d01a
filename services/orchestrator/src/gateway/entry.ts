import type { Reservation, Slot } from '@matsuri/resilience';
import { BRIEF_MS } from './admission';
import type { CallFacts, CallWorld } from './call-world';
import type { GatewayRefusal } from './core/gateway-refusal';
import { limitsOfHolder, type LimitHolder } from './core/limit-holder';
import { limitingDimension } from './core/minute-limits';
import type { Dimension } from './limits';

export type Entry<Held> =
  | { readonly kind: 'held'; readonly held: Held }
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal };

/** A caller over its own limit is told so at once: it must not hold a slot while it waits for itself. */
export async function takeTokenLimit(
  holder: LimitHolder,
  { amounts, scope, request }: CallFacts,
  { tokenLimiter, tokenReadings, clock }: CallWorld,
): Promise<Entry<Reservation<Dimension>>> {
  const nowMs = clock.nowMs();
  const brief = { deadlineAtMs: nowMs + BRIEF_MS, signal: scope.signal };
  const result = await tokenLimiter.reserve(holder, amounts, brief);
  if (result.kind === 'granted') {
    const { untilFullMs } = result.reservation;
    tokenReadings.note(holder, { amounts, untilFullMs }, clock.nowMs());
    return { kind: 'held', held: result.reservation };
  }
  const subject = request.model;
  if (result.reason === 'too-large') {
    return { kind: 'refused', refusal: { reason: 'tokens-beyond-limit', subject } };
  }
  const dimension = limitingDimension(limitsOfHolder(holder), amounts);
  const refusal = { reason: `${dimension}-limited`, subject, waitMs: result.retryAfterMs } as const;
  return { kind: 'refused', refusal };
}

export async function takeSlot(facts: CallFacts, { slots }: CallWorld): Promise<Entry<Slot>> {
  const result = await slots.take(facts.scope);
  if (result.kind === 'held') return { kind: 'held', held: result.slot };
  const { waitMs } = result;
  return {
    kind: 'refused',
    refusal: { reason: 'overloaded', subject: facts.request.model, waitMs },
  };
}
