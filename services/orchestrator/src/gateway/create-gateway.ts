import { randomUUIDv7 } from 'node:crypto';
import { firstContentLimitMs, type PlatformConfiguration } from '@matsuri/contract';
import type { Ledger } from '@matsuri/database';
import {
  breakerSettings,
  DeadlineExceededError,
  Finisher,
  InFlight,
  systemClock,
  type Clock,
  type Random,
} from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import { AnswerStream, readToContent } from './answer-stream';
import type { Attempt } from './attempt';
import type { CallWorld } from './call-world';
import { requestDeadlineMs, type DeadlineInput } from './core/call-deadlines';
import type { GatewayRefusal } from './core/gateway-refusal';
import { estimateInputTokens } from './core/openai/estimate-tokens';
import { newTurnedAway, noteTurnedAway, stillAway } from './core/turned-away';
import type { Gateway, GatewayCall, Outcome, StreamedAnswer, WholeAnswer } from './gateway';
import type { Limits } from './limits';
import type { GatewayObserver } from './observer';
import { OpenCall } from './open-call';
import type { ModelCaller } from './ports';
import { createRetryAllowance } from './retry-allowance';
import { createSlots } from './slots';
import { createTargetPlan, type CapacitySets } from './target-plan';
import { createTargetStates, type TargetState } from './target-states';
import { createTokenReadings } from './token-readings';

export interface GatewayOptions {
  readonly configuration: PlatformConfiguration;
  readonly models: ModelCaller;
  readonly ledger: Pick<Ledger, 'reserve' | 'settle'>;
  readonly limits: Limits;
  readonly capacity: CapacitySets;
  readonly observer: GatewayObserver;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** @default the process's monotonic clock */
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: Random;
  /** UUIDs that sort by time keep the ledger's index compact. @default version 7 */
  readonly newAttemptId?: () => string;
}

/** What is known of a gateway besides what it does. */
export interface GatewayInsight {
  /** Targets nobody is let through to. */
  openBreakers(): number;
}

// Settlements wait for a few milliseconds each; so many at once are a database that is away.
const MAX_SETTLING = 10_000;
const WAIT_WHEN_UNKNOWN_MS = 1_000;

/** The gateway of one task. */
export function createGateway(options: GatewayOptions): Gateway & GatewayInsight {
  const { configuration, models, ledger, limits, observer, log } = options;
  const { gateway, timeouts, breaker, retry } = configuration;
  const { clock = systemClock, random = Math.random } = options;
  const states = createTargetStates({
    catalogue: configuration.models,
    limits,
    breaker: breakerSettings(breaker),
    log,
    clock,
  });
  const plan = createTargetPlan({ configuration, states, capacity: options.capacity, random });
  const calls = new InFlight();
  const away = newTurnedAway();
  const finisher = new Finisher({
    maxRunning: MAX_SETTLING,
    onError: (err) => log.error('settlement failed', { err }),
  });
  const world: CallWorld = {
    configuration,
    ledger,
    finisher,
    observer,
    log,
    clock,
    random,
    nowMs: () => clock.nowMs(),
    slots: createSlots(gateway, clock),
    tokenLimiter: limits.tokens,
    tokenReadings: createTokenReadings(),
    retryBudget: createRetryAllowance(retry, clock),
    newAttemptId: options.newAttemptId ?? randomUUIDv7,
  };

  const figures = () => {
    const slots = world.slots.view();
    const waiting = slots.waiting + states.waiting();
    return {
      inFlight: calls.count,
      waiting,
      outside: stillAway(away, clock.nowMs()),
      active: slots.inUse,
      meanHeldMs: world.slots.meanHeldMs(),
    };
  };

  const turnedAway = (backInMs: number): void => {
    noteTurnedAway(away, backInMs, clock.nowMs());
    observer.turnedAway(figures());
  };

  const noteRefusal = (refusal: GatewayRefusal): void => {
    observer.refused(refusal);
    if (refusal.reason === 'overloaded') turnedAway(refusal.waitMs);
  };

  const refuse = (refusal: GatewayRefusal): Outcome<never> => {
    noteRefusal(refusal);
    return { kind: 'refused', refusal };
  };

  const refusalNow = (): GatewayRefusal | undefined => {
    if (calls.count < gateway.inFlightPerTask) return undefined;
    const waitMs = world.slots.expectedWaitMs() || WAIT_WHEN_UNKNOWN_MS;
    return { reason: 'overloaded', subject: 'this service', waitMs };
  };

  /** Chooses the targets and lets the call in, or says why not. */
  const enter = (
    call: GatewayCall,
    kind: 'stream' | 'whole',
  ): { readonly openCall: OpenCall; readonly input: DeadlineInput } | GatewayRefusal => {
    const planned = plan.planFor(call);
    if (planned.kind === 'refused') return planned.refusal;
    const full = refusalNow();
    if (full) return full;
    const { request } = call;
    const inputTokens = estimateInputTokens(request);
    const input = { inputTokens, thinking: request.thinking !== undefined };
    const deadlineMs = requestDeadlineMs(timeouts, input);
    const totalMs = kind === 'stream' ? deadlineMs : timeouts.nonStreamingTotalMs;
    const late: GatewayRefusal =
      kind === 'stream'
        ? { reason: 'first-content-late', subject: request.model }
        : { reason: 'answer-late', subject: request.model, waitMs: totalMs };
    const onRelease = calls.start('model call');
    const { targets } = planned;
    const openCall = new OpenCall(
      { call, targets, inputTokens, deadlineMs, totalMs, late, onRelease },
      world,
    );
    return { openCall, input };
  };

  const runWatched = async <T>(
    openCall: OpenCall,
    ask: (attempt: Attempt) => Promise<T>,
  ): Promise<Outcome<T>> => {
    const running = openCall.run(ask);
    observer.came(figures());
    try {
      const outcome = await running;
      if (outcome.kind === 'refused') noteRefusal(outcome.refusal);
      return outcome;
    } finally {
      // Those who waited in vain waited longest: a latency of answers alone falls when nothing is answered any more.
      if (openCall.keptWaiting) observer.waited(openCall.elapsedMs);
    }
  };

  const openStream = async (openCall: OpenCall, attempt: Attempt, input: DeadlineInput) => {
    const limitMs = firstContentLimitMs(timeouts, input);
    const cancelTimer = clock.after(limitMs, () => {
      // With nobody else to ask, the call has what is left of its own deadline.
      if (!openCall.takeRetry()) return;
      attempt.abandon('failed-over', new DeadlineExceededError('cap', limitMs));
    });
    try {
      const { request } = openCall.facts;
      const stream = await models.stream(attempt.state.target, request, {
        attemptId: attempt.id,
        signal: attempt.signal,
      });
      attempt.accept();
      return { attempt, opened: await readToContent(attempt, stream) };
    } finally {
      cancelTimer();
    }
  };

  const askWhole = async (openCall: OpenCall, attempt: Attempt) => {
    const { request } = openCall.facts;
    const answer = await models.complete(attempt.state.target, request, {
      attemptId: attempt.id,
      signal: attempt.signal,
    });
    attempt.count.told = answer.usage;
    attempt.count.stopped = true;
    attempt.complete();
    return { attempt, answer };
  };

  return {
    async open(call): Promise<Outcome<StreamedAnswer>> {
      const entered = enter(call, 'stream');
      if ('reason' in entered) return refuse(entered);
      const { openCall, input } = entered;
      const outcome = await runWatched(openCall, (attempt) => openStream(openCall, attempt, input));
      if (outcome.kind === 'refused') return outcome;
      const { attempt, opened } = outcome.answer;
      const events = new AnswerStream({
        attempt,
        opened,
        clock,
        chunkGapMs: timeouts.chunkGapMs,
        onEnd: () => openCall.release(),
      });
      openCall.begun(events);
      return {
        kind: 'answered',
        answer: { ...servedBy(openCall, attempt.state), events, usage: attempt.usage },
      };
    },

    async complete(call): Promise<Outcome<WholeAnswer>> {
      const entered = enter(call, 'whole');
      if ('reason' in entered) return refuse(entered);
      const { openCall } = entered;
      const outcome = await runWatched(openCall, (attempt) => askWhole(openCall, attempt));
      if (outcome.kind === 'refused') return outcome;
      openCall.release();
      const { attempt, answer } = outcome.answer;
      return { kind: 'answered', answer: { ...servedBy(openCall, attempt.state), answer } };
    },

    refuseWhenFull() {
      const refusal = refusalNow();
      if (refusal) noteRefusal(refusal);
      return refusal;
    },
    turnedAway,
    modelsFor: (caller) => plan.namesFor(caller),
    figures,
    async idle() {
      await calls.idle();
      await finisher.idle();
    },
    left: () => [...calls.left(), ...finisher.left()],
    openBreakers: () => states.openBreakers(),
  };
}

function servedBy(openCall: OpenCall, state: TargetState) {
  const { target, name } = state;
  return { servedBy: { target, name }, limits: openCall.readings(state) };
}
