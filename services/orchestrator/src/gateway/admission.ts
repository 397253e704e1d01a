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

type Recorded =
  | { readonly kind: 'attempt'; readonly attempt: Attempt }
  | { readonly kind: 'refused'; readonly refusal: GatewayRefusal };

/** An attempt that may be made now, recorded everywhere, or why there is none. */
export type Admission = Recorded & {
  /** An open breaker is why it is refused, or why another model is asked than should be. */
  readonly fellBack: boolean;
};

/** A place in a target's limits whose time has come. */
interface Turn {
  readonly kind: 'turn';
  readonly state: TargetState;
  readonly reservation: Reservation<Dimension>;
  readonly permit: BreakerPermit;
}

type Denied = { readonly kind: 'denied'; readonly state: TargetState } & Denial;

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
  const { turn, denials } = await takeTurn(facts, candidates, world);
  const shunned = denials.filter(({ cause }) => cause === 'breaker');
  if (!turn) {
    const refusal = refusalOfDenials(denials, facts.request.model);
    return { kind: 'refused', refusal, fellBack: shunned.length > 0 };
  }
  const { profile } = turn.state;
  const fellBack = shunned.some(({ state }) => state.profile.model !== profile.model);
  const refusal = await entered.catch((error: unknown) => {
    giveBack(turn);
    throw error;
  });
  if (refusal) {
    giveBack(turn);
    return { kind: 'refused', refusal, fellBack: false };
  }
  return { ...(await recordIntent(facts, turn, world)), fellBack };
}

function giveBack({ permit, reservation }: Turn): void {
  permit.release();
  reservation.cancel();
}

async function takeTurn(
  facts: CallFacts,
  candidates: readonly TargetState[],
  world: CallWorld,
): Promise<{ readonly turn?: Turn; readonly denials: readonly Denied[] }> {
  const denials: Denied[] = [];
  if (candidates.length > 1) {
    for (const state of candidates) {
      const turn = await tryTarget(facts, state, briefly(facts.scope, world));
      if (turn.kind === 'turn') return { turn, denials };
      denials.push(turn);
    }
  }
  const preferred = candidates.find((state) => openForMs(state) === 0);
  if (!preferred) return { denials: [...denials, ...candidates.map(closed)] };
  const turn = await tryTarget(facts, preferred, facts.scope);
  return turn.kind === 'turn' ? { turn, denials } : { denials: [...denials, turn] };
}

function closed(state: TargetState): Denied {
  return { kind: 'denied', state, cause: 'breaker', waitMs: openForMs(state) };
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
): Promise<Turn | Denied> {
  if (openForMs(state) > 0) return closed(state);
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
    return { kind: 'denied', state, cause: 'breaker', waitMs: error.retryAfterMs };
  }
}

function denial(
  refused: { readonly reason: string; readonly retryAfterMs: number },
  state: TargetState,
  { amounts }: CallFacts,
): Denied {
  if (refused.reason === 'too-large')
    return { kind: 'denied', state, cause: 'too-large', waitMs: Infinity };
  const cause = limitingDimension(state.perMinute, amounts);
  return { kind: 'denied', state, cause, waitMs: refused.retryAfterMs };
}

async function recordIntent(facts: CallFacts, turn: Turn, world: CallWorld): Promise<Recorded> {
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
