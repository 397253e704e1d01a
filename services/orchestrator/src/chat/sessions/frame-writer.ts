import type { AnswerRun } from './answer-run';
import type { FrameLog, WriteOutcome } from './frame-log';

/** Frames reach the other tasks in bundles this far apart; the client at hand never waits for them. */
const BUNDLE_MS = 40;
const RETRY_MS = 500;
/** Nobody waits longer than this for the frames of an answer that is over when they cannot be kept. */
const GIVE_UP_MS = 10_000;

const FAILED: WriteOutcome = { kind: 'failed' };

/** Keeps frames where other tasks can read them: one round trip for all answers, several times a second. */
export class FrameWriter {
  readonly #log: Pick<FrameLog, 'write'>;
  readonly #giveUpMs: number;
  readonly #waiting = new Set<AnswerRun>();
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  /** The last attempt did not keep everything. */
  #failing = false;
  #stopped = false;
  #idle: PromiseWithResolvers<undefined> | undefined;

  constructor(log: Pick<FrameLog, 'write'>, giveUpMs = GIVE_UP_MS) {
    this.#log = log;
    this.#giveUpMs = giveUpMs;
  }

  /** The run has frames that are not kept yet. */
  note(run: AnswerRun): void {
    if (run.superseded || run.isKept || this.#stopped) return;
    this.#waiting.add(run);
    if (run.ended && !this.#failing) this.#hurry();
    else this.#schedule(BUNDLE_MS);
  }

  /** Resolves when nothing waits to be kept. */
  async idle(): Promise<void> {
    if (this.#waiting.size === 0 && !this.#writing) return;
    this.#idle ??= Promise.withResolvers<undefined>();
    await this.#idle.promise;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#settle();
  }

  #schedule(delayMs: number): void {
    if (this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, delayMs);
  }

  /** The end of an answer waits for no bundle: the next message may come to another task. */
  #hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(0);
  }

  async #write(): Promise<void> {
    const runs = [...this.#waiting].filter((run) => !run.superseded);
    this.#waiting.clear();
    this.#writing = true;
    const writes = runs.map((run) => {
      const frames = run.frames.slice(run.keptFrames);
      const { session, epoch } = run.identity;
      return { session, epoch, frames, ended: frames.at(-1)?.terminal === true };
    });
    const outcomes = await this.#log.write(writes);
    this.#writing = false;
    const failures = runs.filter((run, at) => !this.#took(run, outcomes[at] ?? FAILED));
    this.#failing = failures.length > 0;
    if (this.#stopped) this.#waiting.clear();
    if (this.#waiting.size > 0) this.#schedule(this.#failing ? RETRY_MS : BUNDLE_MS);
    else this.#settle();
  }

  /** Whether the log could be asked. */
  #took(run: AnswerRun, outcome: WriteOutcome): boolean {
    switch (outcome.kind) {
      case 'kept':
        run.keptFrames = outcome.seq + 1;
        break;
      case 'superseded':
        run.supersede();
        break;
      case 'forgotten':
        run.keptFrames = 0;
        break;
      case 'failed':
    }
    const failed = outcome.kind === 'failed';
    const overSinceMs = performance.now() - (run.endedAtMs ?? Infinity);
    const isGivenUp = failed && overSinceMs > this.#giveUpMs;
    if (run.isKept || run.superseded || isGivenUp) this.#waiting.delete(run);
    else this.#waiting.add(run);
    return !failed;
  }

  #settle(): void {
    this.#idle?.resolve(undefined);
    this.#idle = undefined;
  }
}
