import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@matsuri/telemetry';
import type { SessionRef } from '../ports';
import type { FrameLog, KnownAnswer } from './frame-log';

interface Claimed {
  readonly session: SessionRef;
  readonly clientMessageId: string;
}

/** As the maker of an answer: no other task has heard of it. */
export const NOBODY = '';

const END_ARRIVES_MS = 50;
const LOOKS_FOR_AN_END = 4;

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
  async claim(asked: Claimed): Promise<{ readonly kind: 'new' | 'known' | 'busy' } & KnownAnswer> {
    const frameLog = this.#frameLog;
    const messageId = randomUUID();
    const leastEpoch = Math.max(this.#lastEpoch + 1, Date.now());
    const alone = { kind: 'new', epoch: leastEpoch, messageId, taskId: NOBODY } as const;
    if (!frameLog) return this.#note(alone);
    const claim = { session: asked.session, clientMessageId: asked.clientMessageId, messageId };
    try {
      const first = await frameLog.claim({ ...claim, leastEpoch });
      if (first.kind === 'new') return this.#note({ taskId: frameLog.taskId, ...first });
      const stands =
        first.kind === 'known'
          ? await this.#isThere(frameLog, asked.session, first)
          : await this.#goesOn(frameLog, asked.session, first);
      if (stands) return first;
      // Whoever made it has gone and taken it along, or has ended it: it stands in nobody's way.
      const again = await frameLog.claim({ ...claim, leastEpoch, lostEpoch: first.epoch });
      return this.#note({ taskId: frameLog.taskId, ...again });
    } catch (err) {
      this.#log.debug('sessions are not shared at the moment', { err });
      return this.#note(alone);
    }
  }

  #note<C extends { readonly epoch: number }>(claimed: C): C {
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
}
