import {
  BREAK_CODES,
  FALLBACK_RUNGS,
  METRICS,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { Ledger } from '@matsuri/database';
import { Finisher, systemClock, UNBOUNDED, withDeadline, type Clock } from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Gateway } from '../../gateway/gateway';
import type { Answerer, AnswerPart, Question, SessionStore } from '../ports';
import { AnswerRun } from './answer-run';
import type { AnswerWorld } from './answer-world';
import { Branches } from './branches';
import type { RungRule } from './core/ladder';
import type { Downstreams } from './downstreams';
import { Generator } from './generation';
import type { Mitigations } from './mitigations';
import type { AnswerCache, Embedder, IntentReader, Retriever } from './ports';
import { SharedGenerations } from './shared-generations';
import type { SharedStreams } from './shared-streams';

export interface AnswererOptions {
  readonly configuration: PlatformConfiguration;
  readonly gateway: Pick<Gateway, 'open' | 'modelsFor'>;
  readonly ledger: Pick<Ledger, 'recordCoalesced'>;
  readonly sessions: SessionStore;
  readonly downstreams: Downstreams;
  readonly intent: IntentReader;
  readonly embed: Embedder;
  readonly retrieve: Retriever;
  /** @default nothing is cached */
  readonly cache?: AnswerCache;
  /** @default streams are shared inside this task only */
  readonly streams?: SharedStreams;
  readonly mitigations: Pick<Mitigations, 'now'>;
  /** @default the ladder as it ships */
  readonly ladder?: readonly RungRule[];
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>;
  /** @default the process's monotonic clock */
  readonly clock?: Clock;
}

// What follows an answer takes milliseconds; so many at once are a table that is away.
const MAX_FINISHING = 2_000;
const FINISH_WITHIN_MS = 10_000;

/** Also makes answers ahead of time. */
export interface WarmingAnswerer extends Answerer {
  /** As `answer`, but what it puts into the cache stays fresh so long. */
  warm(
    question: Question,
    freshSeconds: number,
    signal: AbortSignal,
  ): AsyncIterable<readonly AnswerPart[]>;
}

/** Makes answers, each by its own run over what they all share. */
export function createAnswerer(options: AnswererOptions): WarmingAnswerer {
  const { configuration, gateway, metrics, log, clock = systemClock } = options;
  // A rung that is left is seen to be: it goes back to zero.
  for (const rung of FALLBACK_RUNGS) metrics.declare(METRICS.answers, { Rung: rung });
  for (const code of BREAK_CODES) metrics.declare(METRICS.brokenAnswers, { Code: code });
  const branches = new Branches({
    ...options,
    historyTurns: configuration.answering.historyTurns,
  });
  const finisher = new Finisher({
    maxRunning: MAX_FINISHING,
    onError: (err, name) => log.warn('what follows an answer failed', { name, err }),
  });
  const generator = new Generator({ configuration, gateway, branches });
  const world: AnswerWorld = {
    ...options,
    branches,
    generator,
    shared: new SharedGenerations({
      generator,
      ...(options.streams && { streams: options.streams }),
      requestDeadlineMs: configuration.timeouts.requestDeadlineMs,
      clock,
    }),
    clock,
    finish(name, work) {
      const started = finisher.detach(name, () =>
        withDeadline(UNBOUNDED, FINISH_WITHIN_MS, work, clock),
      );
      if (!started) log.error('too much follows answers, this was let go', { name });
    },
  };
  return {
    answer: (question, signal) => new AnswerRun(question, signal, world).parts(),
    warm: (question, freshSeconds, signal) =>
      new AnswerRun(question, signal, world, freshSeconds).parts(),
    abandon: () => world.shared.abandon(),
    idle: () => finisher.idle(),
  };
}
