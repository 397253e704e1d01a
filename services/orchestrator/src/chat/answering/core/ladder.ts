import type { ChatAlias, FALLBACK_RUNGS, Mitigation } from '@matsuri/contract';
import type { GatewayRefusal } from '../../../gateway/core/gateway-refusal';

type Rung = (typeof FALLBACK_RUNGS)[number];

/**
 * What moves answers down the ladder: mitigations from the beginning, refusals as they are met. A rung is left when none
 * of its signals holds any more.
 */
export type LadderSignal =
  | Exclude<Mitigation, 'page'>
  /** The larger model does not answer; a smaller one may. */
  | 'larger-model-refused'
  /** No model answers. */
  | 'models-refused';

export interface RungRule {
  readonly rung: Rung;
  /** Any of these. */
  readonly enteredBy: readonly LadderSignal[];
  /** What ends it, for people. */
  readonly leftWhen: string;
}

/** The fallback ladder, best first. */
export const LADDER: readonly RungRule[] = [
  { rung: 'full', enteredBy: [], leftWhen: 'never: every answer is tried here first' },
  {
    rung: 'longer_cache',
    enteredBy: ['extend_cache'],
    leftWhen: 'the flag is taken back or expires, and by age beyond the stretched time',
  },
  {
    rung: 'coalesced',
    enteredBy: ['coalesce'],
    leftWhen: 'the flag is taken back or expires; streams already shared run to their end',
  },
  {
    rung: 'small_model',
    enteredBy: ['shift_to_simple', 'larger-model-refused'],
    leftWhen: 'the flag is gone, and the larger model takes the next question',
  },
  {
    rung: 'cached_answer',
    enteredBy: ['models-refused'],
    leftWhen: 'a model takes the next question',
  },
  {
    rung: 'template',
    enteredBy: ['templates', 'models-refused'],
    leftWhen: 'the flag is gone, or a model takes the next question',
  },
  { rung: 'apology', enteredBy: ['models-refused'], leftWhen: 'a model takes the next question' },
];

/** The rungs that signals open, best first. */
export function openRungs(
  signals: ReadonlySet<LadderSignal>,
  ladder: readonly RungRule[] = LADDER,
): readonly Rung[] {
  return ladder
    .filter(({ enteredBy }) => enteredBy.length === 0 || enteredBy.some((it) => signals.has(it)))
    .map(({ rung }) => rung);
}

/** Where one answer may stand, by what it has met so far. */
export class Footing {
  /** Best first. */
  readonly rungs: readonly Rung[];
  readonly #signals: ReadonlySet<LadderSignal>;
  readonly #ladder: readonly RungRule[];

  constructor(signals: ReadonlySet<LadderSignal>, ladder: readonly RungRule[] = LADDER) {
    this.rungs = openRungs(signals, ladder);
    this.#signals = signals;
    this.#ladder = ladder;
  }

  on(rung: Rung): boolean {
    return this.rungs.includes(rung);
  }

  after(signal: LadderSignal): Footing {
    return new Footing(new Set([...this.#signals, signal]), this.#ladder);
  }
}

/** What holds before an answer has met anything: paging somebody moves no answer. */
export function standingSignals(active: ReadonlySet<Mitigation>): ReadonlySet<LadderSignal> {
  return new Set([...active].filter((mitigation) => mitigation !== 'page'));
}

/** Of two rungs, the lower one. */
export function lowerRung(a: Rung, b: Rung): Rung {
  const at = (rung: Rung): number => LADDER.findIndex((rule) => rule.rung === rung);
  return at(a) >= at(b) ? a : b;
}

/** Refusals that say nothing about what a smaller model would do. */
const OF_ONE_MODEL: ReadonlySet<GatewayRefusal['reason']> = new Set([
  'model-not-allowed',
  'requests-limited',
  'tokens-limited',
  'tokens-beyond-limit',
  'upstream-throttled',
  'upstream-failed',
  'upstream-misconfigured',
]);

/** What a refusal of a model means to the ladder. */
export function signalOf(refusal: GatewayRefusal, model: ChatAlias): LadderSignal {
  return model === 'complex' && OF_ONE_MODEL.has(refusal.reason)
    ? 'larger-model-refused'
    : 'models-refused';
}
