import {
  DatabaseUnavailableError,
  type CompletionTasks,
  type FinishOutcome,
  type TaskEnding,
} from '@matsuri/database';
import { InFlight, type Clock } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import { refusal } from '../core/openai/refusal/refusals';
import { taskError } from '../core/openai/reply/completion-task';
import type { Gateway, GatewayCall, WholeAnswer } from '../gateway';
import type { GatewayRefusal } from '../core/gateway-refusal';
import type { OpenAiError } from '../core/openai/refusal/open-ai-error';

export interface CompletionRunnerOptions {
  readonly gateway: Pick<Gateway, 'complete'>;
  readonly tasks: Pick<CompletionTasks, 'finish'>;
  readonly renderRefusal: (refusal: GatewayRefusal) => OpenAiError;
  /** No task pends longer; then it has been given up as lost, and its ending need not be told any more. */
  readonly maxPendingMs: number;
  readonly longCallLogMs: number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly clock: Clock;
}

/** A completion whose caller does not wait. */
interface RunnableTask {
  readonly taskId: string;
  readonly call: Omit<GatewayCall, 'signal'>;
  /** The body of the answer. */
  readonly render: (answer: WholeAnswer) => string;
}

/** Runs completions nobody waits for, through the same admission as all others, and records how each ended. */
export interface CompletionRunner {
  /** Runs a task that is durable already. */
  start(task: RunnableTask): void;
  /** Ends what runs, explicitly: its callers are told to ask again. */
  abandon(): void;
  idle(): Promise<void>;
  left(): readonly string[];
}

/** The process makes room; what it runs is not finished. */
class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

const FINISH_AGAIN_MS = 500;
const DRAIN_RETRY_MS = 1_000;

export function createCompletionRunner(options: CompletionRunnerOptions): CompletionRunner {
  const { gateway, tasks, log, clock } = options;
  const running = new InFlight();
  const abandoned = new AbortController();

  const endingOf = async ({ call, render }: RunnableTask): Promise<TaskEnding> => {
    try {
      const outcome = await gateway.complete({ ...call, signal: abandoned.signal });
      if (outcome.kind === 'refused') return failed(options.renderRefusal(outcome.refusal));
      const { answer } = outcome;
      return { status: 'completed', result: render(answer), servedBy: answer.servedBy.name };
    } catch (err) {
      if (abandoned.signal.aborted) return failed(refusal('draining', { waitMs: DRAIN_RETRY_MS }));
      log.error('request failed', { request_id: call.requestId, err });
      return failed(refusal('internal'));
    }
  };

  /** `undefined`: it could not be recorded while it mattered. */
  const record = async (
    taskId: string,
    ending: TaskEnding,
    untilMs: number,
  ): Promise<FinishOutcome | undefined> => {
    for (;;) {
      try {
        return await tasks.finish(taskId, ending);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        if (error.reason === 'closed' || clock.nowMs() >= untilMs) return undefined;
        await new Promise<void>((resolve) => void clock.after(FINISH_AGAIN_MS, resolve));
      }
    }
  };

  const run = async (task: RunnableTask): Promise<void> => {
    const startedAtMs = clock.nowMs();
    const { requestId: request_id, request } = task.call;
    const facts = { request_id, task_id: task.taskId, model: request.model };
    const ending = await endingOf(task);
    const tookMs = clock.nowMs() - startedAtMs;
    if (tookMs > options.longCallLogMs) {
      log.info('long call', { ...facts, duration_ms: Math.round(tookMs), async: true });
    }
    const outcome = await record(task.taskId, ending, startedAtMs + options.maxPendingMs);
    // Given up as lost in the meantime: what was told first stands.
    if (outcome !== 'finished') log.warn('a task ended unheard', { ...facts, outcome });
  };

  return {
    start(task) {
      running
        .track('async completion', () => run(task))
        .catch((err: unknown) => log.error('a task was not recorded', { err }));
    },
    abandon: () => abandoned.abort(new AbandonedError('the process is ending')),
    idle: () => running.idle(),
    left: () => running.left(),
  };
}

function failed(error: OpenAiError): TaskEnding {
  return { status: 'failed', error: taskError(error) };
}
