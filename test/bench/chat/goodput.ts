import { percentile } from '../gateway/measure/statistics';
import type { Crowd } from './crowd';
import { ANSWER_DEADLINE_MS, type ChatPlan } from './plan';
import type { MessageOutcome } from './session-socket';

/** One step of the curve. */
export interface GoodputStep {
  readonly offered: number;
  readonly multiple: number;
  /** Full answers of a model within their deadline, per second of the step. */
  readonly goodput: number;
  readonly fullShare: number;
  readonly refused: number;
  readonly failed: number;
  readonly answerP99Ms: number;
  readonly refusalP95Ms: number;
  readonly refusalP99Ms: number;
}

const MOST_SEARCH_STEPS = 12;
const NEARLY_ALL = 0.99;

/** The highest rate at which nearly all messages get a full answer in time. */
export async function findCapacity(
  crowd: Crowd,
  plan: ChatPlan,
  onStep: (step: GoodputStep) => void,
): Promise<number> {
  const { from, factor, seconds } = plan.search;
  let capacity = 0;
  for (let at = 0; at < MOST_SEARCH_STEPS; at += 1) {
    const rate = from * factor ** at;
    const step = await measureStep(crowd, rate, seconds, 0);
    onStep(step);
    if (step.fullShare < NEARLY_ALL) break;
    capacity = rate;
  }
  // Whatever was found, the curve is drawn from the least that is asked of it.
  return Math.max(capacity, from);
}

export async function measureStep(
  crowd: Crowd,
  offered: number,
  seconds: number,
  multiple: number,
): Promise<GoodputStep> {
  const outcomes = await crowd.talk(offered, seconds, crowd.sockets.length);
  const full = outcomes.filter(
    ({ kind, tookMs }) => kind === 'full' && tookMs <= ANSWER_DEADLINE_MS,
  );
  const refused = outcomes.filter(({ kind }) => kind === 'refused');
  return {
    offered,
    multiple,
    goodput: full.length / seconds,
    fullShare: full.length / outcomes.length,
    refused: refused.length,
    failed: outcomes.length - refused.length - full.length,
    answerP99Ms: percentile(sortedTimes(full), 0.99),
    refusalP95Ms: percentile(sortedTimes(refused), 0.95),
    refusalP99Ms: percentile(sortedTimes(refused), 0.99),
  };
}

export function sortedTimes(outcomes: readonly MessageOutcome[]): Float64Array {
  return Float64Array.from(outcomes, ({ tookMs }) => tookMs).sort();
}
