import type { FramePosition, ServerFrame } from '@matsuri/contract';
import { InFlight } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import type { Caller } from '../../gateway/gateway';
import { AnswerLostError, LOST_PART, type Answerer, type SessionRef } from '../ports';
import { AnswerRun, type Reader } from './answer-run';
import { Claims, NOBODY } from './claims';
import type { Door } from './door';
import { followDistant, followRun, UNKNOWN, type Following } from './following';
import type { FrameLog, KnownAnswer } from './frame-log';
import { FrameWriter } from './frame-writer';
import { Upkeep, type UpkeepOptions } from './upkeep';

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
  readonly settings: UpkeepOptions['settings'];
  readonly log: Pick<Logger, 'warn' | 'error' | 'debug'>;
  /** Called for each message that is taken in. */
  readonly onBegun: () => void;
}

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
  readonly #upkeep: Upkeep;
  #abandoned = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
    this.#writer = options.frameLog && new FrameWriter(options.frameLog);
    this.#claims = new Claims(options.frameLog, options.log);
    this.#upkeep = new Upkeep({ ...options, runs: this.#runs, writer: this.#writer });
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
    await Promise.all(this.#claiming.values());
    await this.idle();
  }

  left(): readonly string[] {
    return this.#inFlight.left();
  }

  #isAbandoned(): boolean {
    return this.#abandoned;
  }

  async close(): Promise<void> {
    this.#upkeep.close();
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
    const claim = this.#claims.claim(asked, cursor);
    this.#claiming.set(
      key,
      claim.catch(() => undefined),
    );
    let began = false;
    try {
      const claimed = await claim;
      if (claimed.kind === 'busy') return BUSY;
      if (this.#isAbandoned()) {
        if (claimed.kind === 'new') this.#giveBack(asked, claimed);
        return overloaded(ELSEWHERE_MS);
      }
      const { frameLog } = this.#options;
      if (claimed.kind === 'known' && frameLog) {
        return followDistant(frameLog, { session: asked.session, answer: claimed, reader, cursor });
      }
      const following = this.#begin(asked, claimed, reader);
      began = true;
      return following;
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
      const newest = await frameLog.newest(session);
      const isNewest = newest?.epoch === cursor.epoch;
      const answer = isNewest ? newest : { ...UNKNOWN, epoch: cursor.epoch };
      // Whether it is made is asked before what there is of it is read: then no end is missed.
      const [isMade, kept] = await Promise.all([
        frameLog.isMade(session, answer),
        frameLog.read(session, { epoch: cursor.epoch, seq: -1 }),
      ]);
      if (!isMade && kept.at(-1)?.terminal !== true) {
        return { kind: 'lost', ...(isNewest && { messageId: newest.messageId }) };
      }
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

  /** The first word may fail with its reader: then nothing has begun. */
  #begin(asked: Asked, claimed: KnownAnswer, reader: Reader): Following {
    const run = newRun(asked, claimed);
    const following = followRun(run, reader, undefined);
    this.#runs.set(keyOf(asked.session), run);
    this.#options.onBegun();
    this.#writer?.note(run);
    void this.#inFlight.track('answer', () => this.#make(run, asked));
    return following;
  }

  /** Says of an answer that this task will not make that it is lost: whoever is asked next need not wait for it. */
  #giveBack(asked: Asked, claimed: KnownAnswer): void {
    const run = newRun(asked, claimed);
    run.append([LOST_PART], performance.now());
    this.#writer?.note(run);
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
}

function newRun({ session, clientMessageId }: Asked, answer: KnownAnswer): AnswerRun {
  const { messageId, epoch, taskId } = answer;
  const run = new AnswerRun({ session, clientMessageId, messageId, epoch });
  if (taskId !== NOBODY) run.claimedAtMs = performance.now();
  return run;
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
