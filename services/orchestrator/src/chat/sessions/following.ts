import type { FramePosition } from '@matsuri/contract';
import { LOST_PART, type SessionRef } from '../ports';
import type { AnswerRun, Reader } from './answer-run';
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
  const from = cursor?.epoch === epoch ? cursor : { epoch, seq: -1 };
  const seen = { ...from };
  const watched: Reader = {
    take: (frames) => {
      seen.seq = frames.at(-1)?.seq ?? seen.seq;
      reader.take(frames);
    },
  };
  const over = tail({
    log: frameLog,
    session,
    answer,
    cursor: from,
    reader: watched,
    signal: stop.signal,
  }).then((outcome) => {
    if (outcome === 'lost') reader.take([lostFrame(seen, messageId)]);
  });
  return { kind: 'following', messageId, over, stop: () => stop.abort() };
}

function lostFrame({ epoch, seq }: FramePosition, messageId: string): PlacedFrame {
  return placeFrame(
    { epoch, seq: Math.max(0, seq) },
    { ...LOST_PART, ...(messageId !== UNKNOWN.messageId && { messageId }) },
  );
}
