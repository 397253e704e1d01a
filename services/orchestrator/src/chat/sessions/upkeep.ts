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
const RENEWALS_PER_RETENTION = 3;
/** What piled up while Redis was away is not thrown at it in one piece. */
const RETOLD_AT_ONCE = 100;

/** Looks after the answers of this task: says that it lives, hears what is wanted elsewhere, forgets in time. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #ticker: NodeJS.Timeout;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#ticker = setInterval(() => void this.look(), LOOK_MS);
    void options.frameLog?.beat().catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#ticker);
  }

  async look(): Promise<void> {
    const { runs, frameLog } = this.#options;
    const nowMs = performance.now();
    for (const [key, run] of runs) if (this.#isOver(run, nowMs)) runs.delete(key);
    const isHeard = await this.#share(nowMs);
    // Of all that run: who went on elsewhere and cancels there may still seem to read here.
    const running = [...runs.values()].filter((run) => !run.ended);
    const sessions = running.map((run) => run.identity.session);
    const told = isHeard ? await frameLog?.takeAttentions(sessions) : undefined;
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

  /**
   * Says that this task lives and which answers are its own, as often as it would be forgotten otherwise. Whether anybody
   * hears.
   */
  async #share(nowMs: number): Promise<boolean> {
    const { runs, frameLog, writer, settings } = this.#options;
    const wasKnown = await frameLog?.beat().catch(() => undefined);
    if (wasKnown === undefined) return false;
    const staleAtMs = nowMs - (settings.frameRetentionSeconds * 1_000) / RENEWALS_PER_RETENTION;
    const isStale = ({ claimedAtMs = -Infinity }: AnswerRun) =>
      !wasKnown || claimedAtMs < staleAtMs;
    const own = [...runs.values()].filter((run) => !run.superseded);
    const running = own.filter((run) => !run.ended && isStale(run));
    // Whoever hears that this task lives waits for the end of its answers, also of those the writer gave up.
    const untold = own.filter((run) => run.ended && !run.isKept).slice(0, RETOLD_AT_ONCE);
    await this.#renew([...running, ...untold], nowMs);
    for (const run of untold) writer?.note(run);
    return true;
  }

  async #renew(due: readonly AnswerRun[], nowMs: number): Promise<void> {
    if (due.length === 0) return;
    const renewed = await this.#options.frameLog?.renew(due.map(({ identity }) => identity));
    for (const [at, run] of due.entries()) {
      if (renewed?.[at] === true) run.claimedAtMs = nowMs;
      if (renewed?.[at] === false) run.supersede();
    }
  }

  #isOver(run: AnswerRun, nowMs: number): boolean {
    if (run.endedAtMs === undefined) return false;
    const { runs, settings } = this.#options;
    const shared = run.isKept || run.superseded;
    const holdMs = shared ? AT_HAND_MS : settings.frameRetentionSeconds * 1_000;
    return runs.size > MAX_AT_HAND || nowMs - run.endedAtMs > holdMs;
  }
}
