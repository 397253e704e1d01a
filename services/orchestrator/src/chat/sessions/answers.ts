import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FramePosition, ServerFrame } from '@matsuri/contract';
import { InFlight } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import type { Caller } from '../../gateway/gateway';
import { AnswerLostError, type Answerer, type SessionRef } from '../ports';
import { AnswerRun, type Reader, type RunIdentity } from './answer-run';
import type { Door } from './door';
import type { FrameLog, KnownAnswer } from './frame-log';
import { FrameWriter } from './frame-writer';
import { placeFrame } from './core/placed-frame';
import { tail } from './tail';

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

/** What a reader reads. */
export interface Following {
  readonly kind: 'following';
  readonly messageId: string;
  /** Resolves when there is nothing more to hear. */
  readonly over: Promise<void>;
  /** The reader has gone; the answer goes on for a while. */
  stop(): void;
}

/** An answer that another task makes or has made, and who wants to read it. */
interface Distant {
  readonly session: SessionRef;
  readonly answer: KnownAnswer;
  readonly reader: Reader;
  readonly cursor: FramePosition | undefined;
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
const END_ARRIVES_MS = 50;
const LOOKS_FOR_AN_END = 4;
/** Who is turned away by a task that goes finds another at once. */
const ELSEWHERE_MS = 500;

/** Makes answers, and lets them be read: here as they are made, and from what other tasks wrote down. */
export class Answers {
  readonly #options: AnswersOptions;
  readonly #writer: FrameWriter | undefined;
  /** The newest answer of each session this task has made one for. */
  readonly #runs = new Map<string, AnswerRun>();
  readonly #claiming = new Map<string, Promise<unknown>>();
  readonly #inFlight = new InFlight();
  readonly #ticker: NodeJS.Timeout;
  #lastEpoch = 0;
  #abandoned = false;

  constructor(options: AnswersOptions) {
    this.#options = options;
    this.#writer = options.frameLog && new FrameWriter(options.frameLog);
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
      run.append([LOST], performance.now());
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
    if (current?.identity.clientMessageId === asked.clientMessageId && !current.superseded) {
      return this.#follow(current, reader, cursor);
    }
    if (current && !current.ended && !current.superseded) return BUSY;
    const entry = this.#options.door.enter();
    if (!entry.admitted) return overloaded(entry.retryAfterMs);
    const claim = this.#claim(asked);
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
        return this.#tail(frameLog, { session: asked.session, answer: claimed, reader, cursor });
      }
      began = true;
      return this.#begin({ ...asked, ...claimed }, asked, reader);
    } finally {
      this.#claiming.delete(key);
      if (!began) this.#options.door.turnBack();
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
      return this.#follow(run, reader, cursor);
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
      return this.#tail(frameLog, { session, answer, reader, cursor });
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
      if (newest?.messageId === messageId) await frameLog?.attend(session, 'cancel');
    } catch (err) {
      log.warn('a cancel did not reach its task', { err });
    }
  }

  #follow(run: AnswerRun, reader: Reader, cursor: FramePosition | undefined): Following {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const heard: Reader = {
      take: (frames) => {
        reader.take(frames);
        if (frames.at(-1)?.terminal) resolve(undefined);
      },
    };
    run.join(heard, cursor);
    if (run.ended) resolve(undefined);
    return {
      kind: 'following',
      messageId: run.identity.messageId,
      over: promise,
      stop: () => {
        run.leave(heard, performance.now());
        resolve(undefined);
      },
    };
  }

  #tail(frameLog: FrameLog, { session, answer, reader, cursor }: Distant): Following {
    const stop = new AbortController();
    const { epoch, messageId } = answer;
    const from = cursor?.epoch === epoch ? cursor : { epoch, seq: -1 };
    const seen = { ...from };
    const watched: Reader = {
      take: (frames) => {
        seen.seq = frames.at(-1)?.seq ?? seen.seq;
        reader.take(frames);
      },
    };
    const signal = stop.signal;
    const over = tail({
      log: frameLog,
      session,
      answer,
      cursor: from,
      reader: watched,
      signal,
    }).then((outcome) => {
      if (outcome === 'lost') reader.take([lostFrame(seen, messageId)]);
    });
    return { kind: 'following', messageId, over, stop: () => stop.abort() };
  }

  /** Asks the other tasks whether the message is new; alone, it is. */
  async #claim(asked: Asked): Promise<{ readonly kind: 'new' | 'known' | 'busy' } & KnownAnswer> {
    const { frameLog, log } = this.#options;
    const messageId = randomUUID();
    const leastEpoch = Math.max(this.#lastEpoch + 1, Date.now());
    const alone = { kind: 'new', epoch: leastEpoch, messageId, taskId: '' } as const;
    if (!frameLog) return this.#claimed(alone);
    const claim = { session: asked.session, clientMessageId: asked.clientMessageId, messageId };
    try {
      const first = await frameLog.claim({ ...claim, leastEpoch });
      if (first.kind === 'new') return this.#claimed({ taskId: frameLog.taskId, ...first });
      const stands =
        first.kind === 'known'
          ? await this.#isThere(frameLog, asked.session, first)
          : await this.#goesOn(frameLog, asked.session, first);
      if (stands) return first;
      // Whoever made it has gone and taken it along, or has ended it: it stands in nobody's way.
      const again = await frameLog.claim({ ...claim, leastEpoch, lostEpoch: first.epoch });
      return this.#claimed({ taskId: frameLog.taskId, ...again });
    } catch (err) {
      log.debug('sessions are not shared at the moment', { err });
      return this.#claimed(alone);
    }
  }

  #claimed<C extends { readonly epoch: number }>(claimed: C): C {
    this.#lastEpoch = Math.max(this.#lastEpoch, claimed.epoch);
    return claimed;
  }

  async #isThere(frameLog: FrameLog, session: SessionRef, answer: KnownAnswer): Promise<boolean> {
    // What this task once made and no longer knows cannot go on.
    const [alive, frames] = await Promise.all([
      answer.taskId === frameLog.taskId ? false : frameLog.isAlive(answer.taskId),
      frameLog.read(session, { epoch: answer.epoch, seq: -1 }),
    ]);
    const last = frames.at(-1);
    if (last?.lost) return false;
    return alive || (frames[0]?.seq === 0 && last?.terminal === true);
  }

  /** Whether another answer is still being made. Its end reaches the log a moment after it reached its client. */
  async #goesOn(frameLog: FrameLog, session: SessionRef, answer: KnownAnswer): Promise<boolean> {
    // This task would know of its own.
    if (answer.taskId === frameLog.taskId) return false;
    for (let look = 0; look < LOOKS_FOR_AN_END; look += 1) {
      if (look > 0) await delay(END_ARRIVES_MS);
      const frames = await frameLog.read(session, { epoch: answer.epoch, seq: -1 });
      if (frames.at(-1)?.terminal === true) return false;
    }
    return frameLog.isAlive(answer.taskId);
  }

  #begin(
    { session, clientMessageId, messageId, epoch }: RunIdentity,
    asked: Asked,
    reader: Reader,
  ): Following {
    const run = new AnswerRun({ session, clientMessageId, messageId, epoch }, performance.now());
    this.#runs.set(keyOf(session), run);
    this.#options.onBegun();
    const following = this.#follow(run, reader, undefined);
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
    door.leave(performance.now() - run.startedAtMs);
  }

  async #look(): Promise<void> {
    const { frameLog, settings } = this.#options;
    const unread: AnswerRun[] = [];
    const nowMs = performance.now();
    for (const [key, run] of this.#runs) {
      if (run.ended) this.#forgetInTime(key, run, nowMs);
      else if (run.unreadSinceMs !== undefined) unread.push(run);
    }
    await this.#beat();
    const sessions = unread.map((run) => run.identity.session);
    const told = await frameLog?.takeAttentions(sessions).catch(() => []);
    for (const [at, run] of unread.entries()) {
      const attention = told?.[at];
      if (attention === 'cancel') run.stop(new Error('cancelled by the client'));
      if (attention === 'reading' && run.unreadSinceMs !== undefined) run.unreadSinceMs = nowMs;
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

const UNKNOWN = { messageId: 'unknown', taskId: '' } as const;

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

const LOST = {
  type: 'error',
  code: 'answer_lost',
  message: 'The rest of this answer is lost. Send the message again to have it answered anew.',
} as const;

function overloaded(retryAfterMs: number): Refused {
  const message = 'Too many messages are being answered. Please try again soon.';
  return { kind: 'refused', code: 'overloaded', message, retryAfterMs };
}

function lostFrame({ epoch, seq }: FramePosition, messageId: string) {
  return placeFrame(
    { epoch, seq: Math.max(0, seq) },
    { ...LOST, ...(messageId !== UNKNOWN.messageId && { messageId }) },
  );
}

function keyOf({ tenantId, userId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, userId, sessionId]);
}
