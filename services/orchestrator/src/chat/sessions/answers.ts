import type { FramePosition, ServerFrame } from '@matsuri/contract';
import { InFlight } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import type { Caller } from '../../gateway/gateway';
import { AnswerLostError, LOST_PART, type Answerer, type SessionRef } from '../ports';
import { AnswerRun, type Reader, type RunIdentity } from './answer-run';
import { Claims } from './claims';
import type { Door } from './door';
import { followDistant, followRun, UNKNOWN, type Following } from './following';
import type { FrameLog } from './frame-log';
import { FrameWriter } from './frame-writer';

/** A message as it was asked. */
export interface Asked {
  readonly session: SessionRef;
  readonly caller: Caller;
  readonly clientMessageId: string;
  readonly text: string;
  readonly locale?: 'ja' | 'en';
}

type ErrorCode = Extract<ServerFrame, { type: 'error' }>['code'];

export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterMs?: number;
}

export interface AnswersOptions {
  readonly answerer: Answerer;
  /** Absent: there is no Redis, and an answer can be continued on this task only. */
  readonly frameLog?: FrameLog;
  readonly door: Door;
  readonly settings: {
    readonly detachedSeconds: number;
    readonly frameRetentionSeconds: number;
  };
  readonly log: Pick<Logger, 'warn' | 'error' | 'debug'>;
  readonly onBegun: () => void;
}

const LOOK_MS = 500;
/** Answers of this task are at hand for this long after their end, when others can read them too. */
const AT_HAND_MS = 5_000;
const MAX_AT_HAND = 5_000;
/** Who is turned away by a task that goes finds another at once. */
const ELSEWHERE_MS = 500;

/** Makes answers, and lets them be read: here as they are made, and from what other tasks wrote down. */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #writer: FrameWriter | undefined;
  /** The newest answer of each session this task has made one for. */
  readonly #runs = new Map<string, AnswerRun>();
  readonly #claims: Claims;
  readonly #claiming = new Map<string, Promise<unknown>>();
  readonly #inFlight = new InFlight();
  readonly #ticker: NodeJS.Timeout;
  #abandoned = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
    this.#writer = options.frameLog && new FrameWriter(options.frameLog);
    this.#claims = new Claims(options.frameLog, options.log);
    this.#ticker = setInterval(() => void this.#look(), LOOK_MS);
    void this.#beat();
  }

  get running(): number {
    return this.#inFlight.count;
  }

  /** Resolves when every answer has ended and is written down. */
  async idle(): Promise<void> {
    await this.#inFlight.idle();
    await this.#writer?.idle();
  }

  /**
   * Ends what is still being made, because the task must go: each such answer says of itself that it is lost, where its
   * readers are and where they will look for it, and can be asked for anew at once. Resolves when all is written down.
   */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    for (const run of this.#runs.values()) {
      if (run.ended || run.superseded) continue;
      run.append([LOST_PART], performance.now());
      this.#writer?.note(run);
      run.stop(new AnswerLostError('its task had to go'));
    }
    await this.idle();
  }

  left(): readonly string[] {
    return this.#inFlight.left();
  }

  #isAbandoned(): boolean {
    return this.#abandoned;
  }

  async close(): Promise<void> {
    clearInterval(this.#ticker);
    this.#writer?.stop();
    await this.#options.frameLog?.retire().catch(() => undefined);
  }

  /** Answers a message, or finds the answer it has had. */
  async ask(asked: Asked, reader: Reader, cursor?: FramePosition): Promise<Following | Refused> {
    const key = keyOf(asked.session);
    // A message sent twice in one breath is decided once.
    while (this.#claiming.has(key)) await this.#claiming.get(key);
    if (this.#isAbandoned()) return overloaded(ELSEWHERE_MS);
    const current = this.#runs.get(key);
    if (current?.identity.clientMessageId === asked.clientMessageId && current.counts) {
      return followRun(current, reader, cursor);
    }
    if (current && !current.ended && !current.superseded) return BUSY;
    const entry = this.#options.door.enter();
    if (!entry.admitted) return overloaded(entry.retryAfterMs);
    const claim = this.#claims.claim(asked);
    this.#claiming.set(
      key,
      claim.catch(() => undefined),
    );
    let began = false;
    try {
      const claimed = await claim;
      if (this.#isAbandoned()) return overloaded(ELSEWHERE_MS);
      if (claimed.kind === 'busy') return BUSY;
      const { frameLog } = this.#options;
      if (claimed.kind === 'known' && frameLog) {
        return followDistant(frameLog, { session: asked.session, answer: claimed, reader, cursor });
      }
      began = true;
      return this.#begin({ ...asked, ...claimed }, asked, reader);
    } finally {
      this.#claiming.delete(key);
      if (!began) this.#options.door.leave();
    }
  }

  /** Goes on reading after the cursor; `undefined`: there is nothing to go on with. */
  async resume(
    session: SessionRef,
    cursor: FramePosition,
    reader: Reader,
  ): Promise<Following | { readonly kind: 'lost'; readonly messageId?: string }> {
    const run = this.#runs.get(keyOf(session));
    if (run?.identity.epoch === cursor.epoch && !run.superseded) {
      return followRun(run, reader, cursor);
    }
    const { frameLog } = this.#options;
    if (!frameLog) return { kind: 'lost' };
    try {
      const [newest, kept] = await Promise.all([
        frameLog.newest(session),
        frameLog.read(session, { epoch: cursor.epoch, seq: -1 }),
      ]);
      const isNewest = newest?.epoch === cursor.epoch;
      const isOver = kept.at(-1)?.terminal === true;
      const isMade = isNewest && (await frameLog.isAlive(newest.taskId));
      if (!isOver && !isMade) {
        return { kind: 'lost', ...(isNewest && { messageId: newest.messageId }) };
      }
      const answer = newest && isNewest ? newest : { ...UNKNOWN, epoch: cursor.epoch };
      return followDistant(frameLog, { session, answer, reader, cursor });
    } catch {
      return { kind: 'lost' };
    }
  }

  /** Aborts an answer, wherever it is made. */
  async cancel(session: SessionRef, messageId: string): Promise<void> {
    const run = this.#runs.get(keyOf(session));
    if (run?.identity.messageId === messageId && !run.superseded) {
      run.stop(new Error('cancelled by the client'));
      return;
    }
    const { frameLog, log } = this.#options;
    try {
      const newest = await frameLog?.newest(session);
      if (newest?.messageId === messageId) await frameLog?.attend(session, { cancel: messageId });
    } catch (err) {
      log.warn('a cancel did not reach its task', { err });
    }
  }

  #begin(
    { session, clientMessageId, messageId, epoch }: RunIdentity,
    asked: Asked,
    reader: Reader,
  ): Following {
    const run = new AnswerRun({ session, clientMessageId, messageId, epoch });
    this.#runs.set(keyOf(session), run);
    this.#options.onBegun();
    const following = followRun(run, reader, undefined);
    this.#writer?.note(run);
    void this.#inFlight.track('answer', () => this.#make(run, asked));
    return following;
  }

  async #make(run: AnswerRun, asked: Asked): Promise<void> {
    const { answerer, door, log } = this.#options;
    const { session, caller, text, locale } = asked;
    const { messageId } = run.identity;
    const question = { session, caller, messageId, text, ...(locale && { locale }) };
    try {
      for await (const parts of answerer.answer(question, run.signal)) {
        run.append(parts, performance.now());
        this.#writer?.note(run);
      }
    } catch (err) {
      log.error('an answer broke off', { message_id: messageId, err });
    }
    if (!run.ended) run.append([INTERNAL], performance.now());
    this.#writer?.note(run);
    door.leave();
  }

  async #look(): Promise<void> {
    const { frameLog, settings } = this.#options;
    const running: AnswerRun[] = [];
    const nowMs = performance.now();
    for (const [key, run] of this.#runs) {
      if (run.ended) this.#forgetInTime(key, run, nowMs);
      else running.push(run);
    }
    await this.#beat();
    // Of all that run: who went on elsewhere and cancels there may still seem to read here.
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
      if (unreadMs > settings.detachedSeconds * 1_000)
        run.stop(new Error('its client did not come back'));
    }
  }

  async #beat(): Promise<void> {
    await this.#options.frameLog?.beat().catch(() => undefined);
  }

  #forgetInTime(key: string, run: AnswerRun, nowMs: number): void {
    const { settings } = this.#options;
    const shared = run.isKept || run.superseded;
    const holdMs = shared ? AT_HAND_MS : settings.frameRetentionSeconds * 1_000;
    const tooMany = this.#runs.size > MAX_AT_HAND;
    if (tooMany || nowMs - (run.endedAtMs ?? nowMs) > holdMs) this.#runs.delete(key);
  }
}

const BUSY: Refused = {
  kind: 'refused',
  code: 'busy',
  message: 'Another message of this session is being answered. Wait for its end, or cancel it.',
  retryAfterMs: 1_000,
};

const INTERNAL = {
  type: 'error',
  code: 'internal',
  message: 'The answer broke off. Please try again.',
} as const;

function overloaded(retryAfterMs: number): Refused {
  const message = 'Too many messages are being answered. Please try again soon.';
  return { kind: 'refused', code: 'overloaded', message, retryAfterMs };
}

function keyOf({ tenantId, userId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, userId, sessionId]);
}
