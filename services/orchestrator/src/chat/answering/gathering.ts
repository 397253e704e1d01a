import { METRICS, type Intent } from '@matsuri/contract';
import type { Clock, Scope } from '@matsuri/resilience';
import type { Metrics } from '@matsuri/telemetry';
import type { Degradation, Question, Turn } from '../ports';
import type { Branches, Found } from './branches';
import type { CachedAnswer } from './core/cached-answer';
import type { CacheQuery } from './ports';
import type { WaitingTime } from './waiting-time';

/** What phase one found; what is undefined could not be found out. */
export interface Gathered {
  readonly intent: Intent | undefined;
  readonly history: readonly Turn[] | undefined;
  readonly vector: readonly number[] | undefined;
  /** What was answered to the same words, unless they are known to continue a conversation. */
  readonly cached: CachedAnswer | undefined;
  readonly missing: readonly Degradation[];
}

export interface GatheringOptions {
  readonly question: Question;
  readonly query: CacheQuery;
  /** Whether an answer of the cache will do as it is. */
  readonly isUsable: (cached: CachedAnswer) => boolean;
  readonly scope: Scope;
  readonly waits: WaitingTime;
  readonly world: {
    readonly branches: Branches;
    readonly metrics: Metrics;
    readonly clock: Clock;
  };
}

const CACHE_HIT = new Error('the answer was in the cache');

/** Phase one: everything at once; an answer in the cache ends the rest. */
export async function gather(options: GatheringOptions): Promise<Gathered> {
  const { question, query, isUsable, waits, world } = options;
  const { branches, metrics, clock } = world;
  const won = new AbortController();
  const scope = {
    deadlineAtMs: options.scope.deadlineAtMs,
    signal: AbortSignal.any([options.scope.signal, won.signal]),
  };
  const startedMs = clock.nowMs();
  const lookup = branches.cached(query, scope);
  const told = branches.history(question, scope);
  const others = Promise.all([
    branches.intent(question, scope),
    told,
    branches.embedding(question, scope),
  ]);
  const hit = Promise.all([lookup, told]).then(([found, history]) => {
    const cached = found.ok ? found.value : undefined;
    return cached && isUsable(cached) && isFirstQuestion(history)
      ? cached
      : // Nothing to win the race with.
        new Promise<never>(() => undefined);
  });
  const winner = await waits.during(() => Promise.race([hit, Promise.all([others, lookup])]));
  metrics.record(METRICS.fanoutParallel, clock.nowMs() - startedMs);
  if (!Array.isArray(winner)) {
    won.abort(CACHE_HIT);
    const { intent } = winner;
    return { intent, history: [], vector: undefined, cached: winner, missing: [] };
  }
  options.scope.signal.throwIfAborted();
  const [[intent, history, embedding], cache] = winner;
  const branchesByName = { intent, history, embedding, cache };
  return {
    intent: intent.ok ? intent.value : undefined,
    history: history.ok ? history.value : undefined,
    vector: embedding.ok ? embedding.value : undefined,
    cached: cache.ok && !isFollowUp(history) ? cache.value : undefined,
    missing: PHASE_ONE.filter((name) => !branchesByName[name].ok),
  };
}

/** What was kept answers words alone: it will do as it is only where nothing was said before that they may mean. */
function isFirstQuestion(history: Found<readonly Turn[]>): boolean {
  return history.ok && history.value.length === 0;
}

function isFollowUp(history: Found<readonly Turn[]>): boolean {
  return history.ok && history.value.length > 0;
}

const PHASE_ONE = ['intent', 'history', 'embedding', 'cache'] as const satisfies Degradation[];
