import { setTimeout as pause } from 'node:timers/promises';
import type { FramePosition } from '@matsuri/contract';
import type { SessionRef } from '../ports';
import type { Reader } from './answer-run';
import { framesAfter } from './core/placed-frame';
import type { FrameLog, KnownAnswer } from './frame-log';

export interface TailOptions {
  readonly log: FrameLog;
  readonly session: SessionRef;
  readonly answer: KnownAnswer;
  readonly cursor: FramePosition;
  readonly reader: Reader;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 50;
/** The task that makes the answer is told this often that somebody reads, and looked after. */
const ATTEND_EVERY_MS = 1_000;
/** A log that cannot be read for this long, or an answer that nobody makes for as long, is lost. */
const PATIENCE_MS = 1_000;

/**
 * Reads an answer that another task makes, as it is made. Resolves when the answer has ended or the reader has left;
 * `lost` when nobody makes it any more.
 */
export async function tail(options: TailOptions): Promise<'ended' | 'lost' | 'left'> {
  const { log, session, answer, reader, signal } = options;
  let { cursor } = options;
  let attendAtMs = 0;
  let badSinceMs: number | undefined;

  while (!signal.aborted) {
    const nowMs = performance.now();
    try {
      const isMade = nowMs < attendAtMs ? undefined : await attend(log, session, answer);
      if (isMade !== undefined) attendAtMs = nowMs + ATTEND_EVERY_MS;
      const unseen = framesAfter(cursor, await log.read(session, cursor));
      if (unseen === undefined) return 'lost';
      if (isLeft(signal)) return 'left';
      const last = unseen.at(-1);
      if (last) {
        reader.take(unseen);
        cursor = last;
        if (last.terminal) return 'ended';
      }
      if (isMade === true || last) badSinceMs = undefined;
      else if (isMade === false) badSinceMs ??= nowMs;
    } catch {
      badSinceMs ??= nowMs;
    }
    if (badSinceMs !== undefined && performance.now() - badSinceMs >= PATIENCE_MS) return 'lost';
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return 'left';
}

function isLeft(signal: AbortSignal): boolean {
  return signal.aborted;
}

async function attend(log: FrameLog, session: SessionRef, answer: KnownAnswer): Promise<boolean> {
  const [isMade] = await Promise.all([log.isMade(session, answer), log.attend(session, 'reading')]);
  return isMade;
}
