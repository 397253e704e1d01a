import { DatabaseUnavailableError, type ReserveOutcome } from '@matsuri/database';
import {
  abortError,
  BreakerOpenError,
  remainingMs,
  type BreakerPermit,
  type Reservation,
  type Scope,
} from '@matsuri/resilience';
import { Attempt } from './attempt';
import type { CallFacts, CallWorld } from './call-world';
import { reservedMicroUsd } from './core/call-price';
import { refusalOfDenials, type Denial } from './core/denial';
import type { GatewayRefusal } from './core/gateway-refusal';
import { noteGrant } from './core/limit-reading';
import { limitingDimension } from './core/minute-limits';
import type { Dimension } from './limits';
import type { TargetState } from './target-states';

/** An attempt that may be made now, recorded everywhere, or why there is none. */
export type Admission =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal };

/** A place in a target's limits whose time has come. */
interface Turn {
  readonly kind: 'turn';
  readonly state: TargetState;
  readonly reservation: Reservation<Dimension>;
  readonly permit: BreakerPermit;
}

type Denied = { readonly kind: 'denied' } & Denial;

/** How long a target with alternatives may keep a call waiting; covers the question itself. */
export const BRIEF_MS = 250;

const LEDGER_PATIENCE_MS = 2_000;
// The pool reconnects as soon as the database accepts connections.
const LEDGER_RETRY_MS = 2_000;

/**
 * Takes a turn at one of the targets and records it in the ledger. A target with room now is preferred in order;
 * where all are full, the call waits for the first. A caller whose own limit is still being asked learns of it in
 * `entered`, before anything is recorded.
 */
export async function admit(
  facts: CallFacts,
  candidates: readonly TargetState[],
  world: CallWorld,
  entered: Promise<GatewayRefusal | undefined>,
): Promise<Admission> {
  const turn = await takeTurn(facts, candidates, world);
  if (turn.kind === 'refused') return turn;
  const refusal = await entered.catch((error: unknown) => {
    giveBack(turn);
    throw error;
  });
  if (refusal) {
    giveBack(turn);
    return { kind: 'refused', refusal };
  }
  return recordIntent(facts, turn, world);
}

function giveBack({ permit, reservation }: Turn): void {
  permit.release();
  reservation.cancel();
}

async function takeTurn(
  facts: CallFacts,
  candidates: readonly TargetState[],
  world: CallWorld,
): Promise<Turn | Extract<Admission, { kind: 'refused' }>> {
  const denials: Denial[] = [];
  if (candidates.length > 1) {
    for (const state of candidates) {
      const result = await tryTarget(facts, state, briefly(facts.scope, world), world);
      if (result.kind === 'turn') return result;
      denials.push(result);
    }
  }
  const preferred = candidates.find((state) => openForMs(state) === 0);
  if (preferred) {
    const result = await tryTarget(facts, preferred, facts.scope, world);
    if (result.kind === 'turn') return result;
    denials.push(result);
  } else {
    for (const state of candidates) denials.push({ cause: 'breaker', waitMs: openForMs(state) });
  }
  return { kind: 'refused', refusal: refusalOfDenials(denials, facts.request.model) };
}

function briefly(scope: Scope, { clock }: CallWorld): Scope {
  const deadlineAtMs = Math.min(scope.deadlineAtMs, clock.nowMs() + BRIEF_MS);
  return { deadlineAtMs, signal: scope.signal };
}

/** How long a target's breaker lets nobody through; 0: it may be tried. */
export function openForMs({ breaker }: TargetState): number {
  return breaker.retryAfterMs;
}

async function tryTarget(
  facts: CallFacts,
  state: TargetState,
  scope: Scope,
  world: CallWorld,
): Promise<Turn | Denied> {
  const closedInMs = openForMs(state);
  if (closedInMs > 0) {
    world.observer.skipped(state.target);
    return { kind: 'denied', cause: 'breaker', waitMs: closedInMs };
  }
  const { caller, amounts } = facts;
  const result = await state.limiter.reserve(caller.tenantId, amounts, scope);
  if (result.kind === 'refused') return denial(result, state, facts);
  try {
    return {
      kind: 'turn',
      state,
      reservation: result.reservation,
      permit: state.breaker.acquire(),
    };
  } catch (error) {
    result.reservation.cancel();
    if (!(error instanceof BreakerOpenError)) throw error;
    return { kind: 'denied', cause: 'breaker', waitMs: error.retryAfterMs };
  }
}

function denial(
  refused: { readonly reason: string; readonly retryAfterMs: number },
  { perMinute }: TargetState,
  { amounts }: CallFacts,
): Denied {
  if (refused.reason === 'too-large')
    return { kind: 'denied', cause: 'too-large', waitMs: Infinity };
  const cause = limitingDimension(perMinute, amounts);
  return { kind: 'denied', cause, waitMs: refused.retryAfterMs };
}

async function recordIntent(facts: CallFacts, turn: Turn, world: CallWorld): Promise<Admission> {
  const id = world.newAttemptId();
  try {
    const outcome = await reserveInLedger(id, facts, turn, world);
    if (!outcome.granted) {
      giveBack(turn);
      return { kind: 'refused', refusal: refusalOfLedger(outcome) };
    }
  } catch (error) {
    giveBack(turn);
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    return { kind: 'refused', refusal: ledgerUnavailable(facts) };
  }
  const attempt = attemptOf(id, facts, turn, world);
  if (!facts.scope.signal.aborted) return { kind: 'attempt', attempt };
  attempt.release();
  throw abortError(facts.scope.signal);
}

function reserveInLedger(
  attemptId: string,
  { requestId, caller, request, inputTokens, scope }: CallFacts,
  { state }: Turn,
  { ledger, clock }: CallWorld,
): Promise<ReserveOutcome> {
  const { target, profile } = state;
  return ledger.reserve(
    {
      attemptId,
      requestId,
      tenantId: caller.tenantId,
      userId: caller.userId,
      tokenId: caller.tokenId,
      requestedModel: request.model,
      servedModel: target.profile,
      region: target.region,
      target: target.provisionedArn ?? 'on-demand',
      reservedMicroUsd: reservedMicroUsd(profile, request, inputTokens),
    },
    Math.min(LEDGER_PATIENCE_MS, remainingMs(scope.deadlineAtMs, clock.nowMs())),
  );
}

function refusalOfLedger(outcome: Extract<ReserveOutcome, { granted: false }>): GatewayRefusal {
  return outcome.refused === 'spend-cap'
    ? { reason: 'spend-cap-reached', subject: outcome.cap }
    : { reason: 'key-invalid' };
}

function ledgerUnavailable({ request }: CallFacts): GatewayRefusal {
  return { reason: 'ledger-unavailable', subject: request.model, waitMs: LEDGER_RETRY_MS };
}

function attemptOf(id: string, facts: CallFacts, turn: Turn, world: CallWorld): Attempt {
  const { state, reservation, permit } = turn;
  const { amounts, inputTokens } = facts;
  const { requestsLeft: requests, tokensLeft: tokens, perMinute } = state;
  const { untilFullMs } = reservation;
  noteGrant({ requests, tokens }, { perMinute, amounts, untilFullMs }, world.clock.nowMs());
  return new Attempt(
    { id, state, inputTokens, reservedTokens: amounts.tokens, reservation, permit },
    world,
  );
}
