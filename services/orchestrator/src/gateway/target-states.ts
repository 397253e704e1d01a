import {
  modelOfProfile,
  profileOf,
  targetName,
  type InferenceProfile,
  type Model,
  type ModelCatalogue,
} from '@matsuri/contract';
import { Breaker, type BreakerSettings, type Clock } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import type { MinuteBucket } from './core/limit-reading';
import type { MinuteLimits } from './core/minute-limits';
import type { Limiter, Limits } from './limits';
import { ModelCallError, type CallTarget, type ModelFailure } from './ports';

/** All that is known of a place to call: its model and price, its limits, and how it has been doing. */
export interface TargetState {
  readonly target: CallTarget;
  readonly name: string;
  readonly profile: InferenceProfile;
  readonly model: Model;
  readonly perMinute: MinuteLimits;
  readonly limiter: Limiter;
  readonly breaker: Breaker;
  readonly requestsLeft: MinuteBucket;
  readonly tokensLeft: MinuteBucket;
}

export interface TargetStatesOptions {
  readonly catalogue: ModelCatalogue;
  readonly limits: Limits;
  readonly breaker: BreakerSettings;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Clock;
}

export interface TargetStates {
  /** The state of a target, made when it is first needed. */
  of(target: CallTarget, perMinute: MinuteLimits): TargetState;
  /** Targets nobody is let through to at the moment. */
  openBreakers(): number;
  /** Calls waiting for their turn at some limit. */
  waiting(): number;
}

/** A target that is full, that was asked nonsense, or that never heard of it is not broken. */
const BLAMELESS: ReadonlySet<ModelFailure> = new Set([
  'throttled',
  'invalid-request',
  'no-connection',
]);

function speaksAgainstTarget(error: unknown): 'failure' | 'ignored' {
  return error instanceof ModelCallError && BLAMELESS.has(error.failure) ? 'ignored' : 'failure';
}

export function createTargetStates(options: TargetStatesOptions): TargetStates {
  const { catalogue, limits, log, clock } = options;
  const states = new Map<string, TargetState>();

  const create = (key: string, target: CallTarget, perMinute: MinuteLimits): TargetState => {
    const profile = profileOf(catalogue, target.profile);
    const model = modelOfProfile(catalogue, target.profile);
    if (!profile || !model) throw new RangeError(`no profile ${target.profile} in the catalogue`);
    const state = {
      target,
      name: targetName(target),
      profile,
      model,
      perMinute,
      limiter: limits.forTarget(target, perMinute),
      breaker: new Breaker({
        name: key,
        settings: options.breaker,
        classify: speaksAgainstTarget,
        onTransition: ({ from, to, reason }) =>
          log.warn('breaker', { target: key, from, to, reason }),
        clock,
      }),
      requestsLeft: { fullAtMs: 0 },
      tokensLeft: { fullAtMs: 0 },
    };
    states.set(key, state);
    return state;
  };

  return {
    of(target, perMinute) {
      const { provisionedArn } = target;
      // A throughput whose size changed has other limits.
      const key =
        provisionedArn === undefined ? targetName(target) : `${provisionedArn} ${perMinute.tokens}`;
      return states.get(key) ?? create(key, target, perMinute);
    },
    openBreakers: () =>
      [...states.values()].filter(({ breaker }) => breaker.view().phase !== 'closed').length,
    waiting: () => {
      let waiting = 0;
      for (const { limiter } of states.values()) waiting += limiter.waiting;
      return waiting;
    },
  };
}
