import type { AnswerRun } from './answer-run';
import type { FrameLog } from './frame-log';
import type { FrameWriter } from './frame-writer';

export interface UpkeepOptions {
  /** By session; those whose time is over are taken out. */
  readonly runs: Map<string, AnswerRun>;
  readonly frameLog?: FrameLog;
  readonly writer: FrameWriter | undefined;
  readonly settings: {
    readonly detachedSeconds: number;
    readonly frameRetentionSeconds: number;
  };
}

const LOOK_MS = 500;
/** Answers of this task are at hand for this long after their end, when others can read them too. */
const AT_HAND_MS = 5_000;
const MAX_AT_HAND = 5_000;
/** What piled up while Redis was away is not thrown at it in one piece. */
const RETOLD_AT_ONCE = 100;

/** Looks after the answers of this task: says that it lives, hears what is wanted elsewhere, forgets in time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #ticker: NodeJS.Timeout;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#ticker = setInterval(() => void this.look(), LOOK_MS);
    void this.#beat();
  }

  close(): void {
    clearInterval(this.#ticker);
  }

  async look(): Promise<void> {
    const { runs, frameLog } = this.#options;
    const nowMs = performance.now();
    for (const [key, run] of runs) if (this.#isOver(run, nowMs)) runs.delete(key);
    if (await this.#beat()) this.#retell();
    // Of all that run: who went on elsewhere and cancels there may still seem to read here.
    const running = [...runs.values()].filter((run) => !run.ended);
    const sessions = running.map((run) => run.identity.session);
    const told = await frameLog?.takeAttentions(sessions).catch(() => []);
    for (const [at, run] of running.entries()) {
      const attention = told?.[at];
      const isReading = attention === 'reading';
      // A cancel that came too late for one answer is not meant for the next.
      const isCancelled = !isReading && attention?.cancel === run.identity.messageId;
      if (isCancelled) run.stop(new Error('cancelled by the client'));
      if (isReading && run.unreadSinceMs !== undefined) run.unreadSinceMs = nowMs;
      const unreadMs = nowMs - (run.unreadSinceMs ?? nowMs);
      if (unreadMs > this.#options.settings.detachedSeconds * 1_000)
        run.stop(new Error('its client did not come back'));
    }
  }

  /** Whether it was heard. */
  async #beat(): Promise<boolean> {
    const { frameLog } = this.#options;
    if (!frameLog) return false;
    return frameLog.beat().then(
      () => true,
      () => false,
    );
  }

  /** Whoever hears that this task lives waits for the end of its answers: those the writer gave up are told now. */
  #retell(): void {
    const { runs, writer } = this.#options;
    const untold = [...runs.values()].filter((run) => run.ended && !run.isKept && !run.superseded);
    for (const run of untold.slice(0, RETOLD_AT_ONCE)) writer?.note(run);
  }

  #isOver(run: AnswerRun, nowMs: number): boolean {
    if (run.endedAtMs === undefined) return false;
    const { runs, settings } = this.#options;
    const shared = run.isKept || run.superseded;
    const holdMs = shared ? AT_HAND_MS : settings.frameRetentionSeconds * 1_000;
    return runs.size > MAX_AT_HAND || nowMs - run.endedAtMs > holdMs;
  }
}
