import type { FramePosition } from '@matsuri/contract';
import { LOST_PART, type SessionRef } from '../ports';
import { placeIn, type AnswerRun, type Reader } from './answer-run';
import { placeFrame, type PlacedFrame } from './core/placed-frame';
import type { FrameLog, KnownAnswer } from './frame-log';
import { tail } from './tail';

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

export const UNKNOWN = { messageId: 'unknown', taskId: '' } as const;

/** Reads an answer of this task as it is made. */
export function followRun(
  run: AnswerRun,
  reader: Reader,
  cursor: FramePosition | undefined,
): Following {
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

/** Reads an answer of another task from what it writes down; one that nobody makes any more is said to be lost. */
export function followDistant(
  frameLog: FrameLog,
  { session, answer, reader, cursor }: Distant,
): Following {
  const stop = new AbortController();
  const { epoch, messageId } = answer;
  const over = tail({
    log: frameLog,
    session,
    answer,
    cursor: placeIn(epoch, cursor),
    reader,
    signal: stop.signal,
  }).then((outcome) => {
    if (outcome === 'lost') reader.take([lostFrame(answer)]);
  });
  return { kind: 'following', messageId, over, stop: () => stop.abort() };
}

/**
 * The epoch after an answer's belongs to its loss: who drops repeats hears of it, whatever of the answer may still
 * appear, and no answer is ever given it.
 */
export function placeOfLoss(epoch: number): FramePosition {
  return { epoch: epoch + 1, seq: 0 };
}

function lostFrame({ epoch, messageId }: KnownAnswer): PlacedFrame {
  const named = messageId !== UNKNOWN.messageId && { messageId };
  return placeFrame(placeOfLoss(epoch), { ...LOST_PART, ...named });
}
