/**
 * Ends a process in order: readiness off, tell sessions to go, finish what runs, close connections.
 *
 *     running ── begin() ──► stage 1 ──► … ──► stage n ──► report
 *                               │ deadline or force(): the rest is skipped
 *                               └──────────────────────────────► report
 *
 * A stage that fails or runs out of its own time does not stop the ones after it: a session that will
 * not close is no reason to leave a database connection open.
 */
import { drainReport, type DrainedStage, type DrainReport } from './core/drain-report';
import type { Clock } from './core/clock';
import { deadlineIn } from './core/deadline';
import { endedBy } from './abort';
import type { Scope } from './request-scope';
import { systemClock } from './system-clock';
import { withDeadline } from './with-deadline';

export interface DrainStage {
  readonly name: string;
  /** This stage's own limit. @default what the whole drain has left */
  readonly maxMs?: number;
  readonly run: (scope: Scope) => PromiseLike<unknown> | undefined;
}

export interface DrainOptions {
  readonly stages: readonly DrainStage[];
  /** For all stages together; shorter than the time after which the process is killed. */
  readonly deadlineMs: number;
  /** Asked at the end. @default nothing is tracked */
  readonly left?: () => readonly string[];
  readonly onStage?: (stage: DrainedStage) => void;
  readonly onStageError?: (error: unknown, stage: string) => void;
  readonly clock?: Clock;
}

const STAGE_ENDED_BY = { timeout: 'timeout', caller: 'forced', call: 'failed' } as const;

export class Drain {
  readonly #options: DrainOptions;
  readonly #clock: Clock;
  readonly #force = new AbortController();
  #report: Promise<DrainReport> | undefined;

  constructor(options: DrainOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get started(): boolean {
    return this.#report !== undefined;
  }

  /** Starts once; every caller gets the same report. Never rejects. */
  begin(): Promise<DrainReport> {
    this.#report ??= this.#run();
    return this.#report;
  }

  /** Stops waiting: the stage that runs is aborted, the rest skipped. */
  force(): void {
    this.#force.abort(new Error('the drain was forced'));
  }

  async #run(): Promise<DrainReport> {
    const startedMs = this.#clock.nowMs();
    const deadlineAtMs = deadlineIn(this.#options.deadlineMs, startedMs);
    const scope: Scope = { deadlineAtMs, signal: this.#force.signal };
    const stages: DrainedStage[] = [];
    for (const stage of this.#options.stages) {
      const drained = await this.#runStage(stage, scope);
      stages.push(drained);
      this.#options.onStage?.(drained);
    }
    const left = this.#options.left?.() ?? [];
    return drainReport(stages, left, this.#clock.nowMs() - startedMs);
  }

  async #runStage({ name, maxMs, run }: DrainStage, scope: Scope): Promise<DrainedStage> {
    const startedMs = this.#clock.nowMs();
    if (scope.signal.aborted || startedMs >= scope.deadlineAtMs) {
      return { name, outcome: 'skipped', tookMs: 0 };
    }
    const ended = (outcome: DrainedStage['outcome']): DrainedStage => ({
      name,
      outcome,
      tookMs: this.#clock.nowMs() - startedMs,
    });
    try {
      await withDeadline(scope, maxMs ?? Infinity, (_, child) => run(child), this.#clock);
      return ended('done');
    } catch (error) {
      const by = endedBy(error, scope.signal);
      if (by === 'call') this.#options.onStageError?.(error, name);
      return ended(STAGE_ENDED_BY[by]);
    }
  }
}

/** What a process offers to hear of its end; `process` fits. */
export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  off(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

/**
 * The first signal drains, the second insists. A drain that began for another reason is not cut short by the first:
 * ECS deregisters a task, which begins to drain when it sees that, and only then sends its SIGTERM. Resolves with the
 * report; the caller then lets the process end.
 */
export async function drainOnSignal(source: SignalSource, drain: Drain): Promise<DrainReport> {
  const { promise, resolve } = Promise.withResolvers<DrainReport>();
  let signalled = false;
  const onSignal = (): void => {
    if (signalled) drain.force();
    else void drain.begin().then(resolve);
    signalled = true;
  };
  source.on('SIGTERM', onSignal);
  source.on('SIGINT', onSignal);
  try {
    return await promise;
  } finally {
    source.off('SIGTERM', onSignal);
    source.off('SIGINT', onSignal);
  }
}
