import type { Plan, Throughput } from '@matsuri/autoscaler/core';
import {
  CHAT_ALIASES,
  MITIGATIONS,
  type ChatAlias,
  type Mitigation,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { OPEN_DOOR, mitigated, modelDoor, type ModelDoor, type Passage } from './model-door';
import { NOTHING_ASKED, callsPerSecond, type ModelDemand } from './model-demand';
import { createProvisionedSet, type ProvisionedSet } from './provisioned-set';

export type Passages = Readonly<Record<ChatAlias, Passage>>;

/** What of a number of requests never becomes a call that holds a slot. */
export interface Spared {
  /** By a mitigation: answered, at no model's cost. */
  readonly answered: number;
  readonly throttled: number;
}

const ALL: ReadonlySet<Mitigation> = new Set(MITIGATIONS);

export interface ModelSideOptions {
  /** Whether quotas hold. Without them nobody is throttled, and mitigations have nothing to take off. */
  readonly limited: boolean;
  /** Mitigates whenever somebody would be throttled, and not a moment longer. @default false */
  readonly clairvoyant?: boolean | undefined;
}

/** What stands behind the tasks: quotas, units that were bought, and the mitigations in force. */
export class ModelSide {
  readonly units: ProvisionedSet;
  passages: Passages;
  private readonly door: ModelDoor;
  private mitigations: ReadonlySet<Mitigation> = new Set();
  private asked: ModelDemand = NOTHING_ASKED;
  /** Parts of requests that are still owed to either side. */
  private readonly owed = { answered: 0, throttled: 0 };

  constructor(
    configuration: PlatformConfiguration,
    private readonly options: ModelSideOptions,
  ) {
    this.door = options.limited ? modelDoor(configuration) : OPEN_DOOR;
    this.units = createProvisionedSet(configuration.provisioned.activationSeconds);
    this.passages = this.passagesOf(NOTHING_ASKED);
  }

  get listed(): readonly Throughput[] {
    return this.units.listed;
  }

  /** From now on so much is asked. */
  ask(asked: ModelDemand): Passages {
    this.asked = asked;
    const { limited, clairvoyant = false } = this.options;
    const plain = limited ? mitigated(asked, this.mitigations) : asked;
    this.passages = this.passagesOf(plain);
    if (clairvoyant && isThrottled(this.passages)) {
      this.passages = this.passagesOf(mitigated(asked, ALL));
    }
    return this.passages;
  }

  /** Of all that is asked, the parts that never become a call. */
  get sparedShares(): Spared {
    const asked = callsPerSecond(this.asked);
    if (asked === 0) return { answered: 0, throttled: 0 };
    const { complex, simple } = this.passages;
    const calls = callsPerSecond({ complex: complex.asked, simple: simple.asked });
    return {
      answered: 1 - calls / asked,
      throttled: (calls - throughPerSecond(this.passages)) / asked,
    };
  }

  /** Of so many requests, in whole ones: what a share leaves over counts with the next. */
  spare(requests: number): Spared {
    const shares = this.sparedShares;
    this.owed.answered += requests * shares.answered;
    this.owed.throttled += requests * shares.throttled;
    const answered = Math.floor(this.owed.answered + ROUNDING);
    const throttled = Math.floor(this.owed.throttled + ROUNDING);
    this.owed.answered -= answered;
    this.owed.throttled -= throttled;
    return { answered, throttled };
  }

  /** What a decision asks of Bedrock and of the orchestrators. */
  apply({ capacity, mitigations }: Pick<Plan, 'capacity' | 'mitigations'>, nowMs: number): void {
    this.units.apply(capacity, nowMs);
    this.mitigations = new Set(mitigations.active.map((it) => it.mitigation));
  }

  private passagesOf(asked: ModelDemand): Passages {
    const of = (alias: ChatAlias) => this.door(alias, asked[alias], this.units.serving(alias));
    return { complex: of('complex'), simple: of('simple') };
  }
}

/** Shares of a request that are only rounding. */
const ROUNDING = 1e-9;

export function isThrottled(passages: Passages): boolean {
  return CHAT_ALIASES.some((alias) => passages[alias].throttledShare > 0);
}

/** Calls that are let through. */
export function throughPerSecond(passages: Passages): number {
  return CHAT_ALIASES.reduce((sum, alias) => {
    const { asked, throttledShare } = passages[alias];
    return sum + (asked.requestsPerMinute / 60) * (1 - throttledShare);
  }, 0);
}

/** Tokens a second that are let through. */
export function throughTokens({ asked, throttledShare }: Passage): number {
  return asked.tokensPerSecond * (1 - throttledShare);
}

/** Whole calls that an alias refuses within some seconds of so many times what was asked. */
export function throttledCalls(
  { asked, throttledShare }: Passage,
  times: number,
  seconds: number,
): number {
  return Math.round((asked.requestsPerMinute / 60) * times * throttledShare * seconds);
}
