import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { compareFrames, type FramePosition } from '@matsuri/contract';
import type { Logger } from '@matsuri/telemetry';
import type { SessionRef } from '../ports';
import { placeIn } from './answer-run';
import { framesAfter } from './core/placed-frame';
import { placeOfLoss } from './following';
import type { FrameLog, KnownAnswer } from './frame-log';

interface Claimed {
  readonly session: SessionRef;
  readonly clientMessageId: string;
}

type Found = { readonly kind: 'new' | 'known' | 'busy' } & KnownAnswer;

/** As the maker of an answer: no other task has heard of it. */
export const NOBODY = '';

const END_ARRIVES_MS = 50;
const LOOKS_FOR_AN_END = 4;
/** The message's own answer, the session's newest, and what others may claim meanwhile. */
const MAX_LOST = 3;

/** Finds out who answers a message, among all tasks. */
export class Claims {
  readonly #frameLog: FrameLog | undefined;
  readonly #log: Pick<Logger, 'debug'>;
  #lastEpoch = 0;

  constructor(frameLog: FrameLog | undefined, log: Pick<Logger, 'debug'>) {
    this.#frameLog = frameLog;
    this.#log = log;
  }

  /** Asks the other tasks whether the message is new; alone, it is. */
  async claim(asked: Claimed, cursor?: FramePosition): Promise<Found> {
    const frameLog = this.#frameLog;
    const { session, clientMessageId } = asked;
    const messageId = randomUUID();
    // Two on: the epoch between belongs to a loss.
    const leastEpoch = Math.max(this.#lastEpoch + 2, Date.now());
    const alone = { kind: 'new', epoch: leastEpoch, messageId, taskId: NOBODY } as const;
    if (!frameLog) return this.#note(alone);
    const claim = { session, clientMessageId, messageId, leastEpoch };
    const lostEpochs: number[] = [];
    try {
      for (;;) {
        const found = await frameLog.claim({ ...claim, lostEpochs });
        if (found.kind === 'new') return this.#note({ taskId: frameLog.taskId, ...found });
        if (lostEpochs.length === MAX_LOST) return found;
        const stands =
          found.kind === 'known'
            ? await this.#isThere(frameLog, session, found, cursor)
            : await this.#goesOn(frameLog, session, found);
        if (stands) return found;
        // Whoever made it has gone and taken it along, or has ended it: it stands in nobody's way.
        lostEpochs.push(found.epoch);
      }
    } catch (err) {
      this.#log.debug('sessions are not shared at the moment', { err });
      return this.#note(alone);
    }
  }

  #note<C extends { readonly epoch: number }>(claimed: C): C {
    this.#lastEpoch = Math.max(this.#lastEpoch, claimed.epoch);
    return claimed;
  }

  async #isThere(
    frameLog: FrameLog,
    session: SessionRef,
    answer: KnownAnswer,
    cursor: FramePosition | undefined,
  ): Promise<boolean> {
    const { epoch, taskId } = answer;
    // Who was told that it is lost is not told otherwise by a task that comes back.
    if (cursor && compareFrames(cursor, placeOfLoss(epoch)) === 0) return false;
    // What this task once made and no longer knows cannot go on.
    const [isMade, frames] = await Promise.all([
      taskId === frameLog.taskId ? false : frameLog.isMade(session, answer),
      frameLog.read(session, { epoch, seq: -1 }),
    ]);
    const last = frames.at(-1);
    const isWhole = framesAfter(placeIn(epoch, cursor), frames) !== undefined;
    return isWhole && last?.lost !== true && (isMade || last?.terminal === true);
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
    return frameLog.isMade(session, answer);
  }
}
