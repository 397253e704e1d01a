import type { FramePosition } from '@matsuri/contract';
import { AnswerLostError, type AnswerPart, type SessionRef } from '../ports';
import { framesAfter, placeFrame, type PlacedFrame } from './core/placed-frame';

/** Somebody who hears an answer as it is made. */
export interface Reader {
  take(frames: readonly PlacedFrame[]): void;
}

export interface RunIdentity {
  readonly session: SessionRef;
  readonly clientMessageId: string;
  readonly messageId: string;
  readonly epoch: number;
}

/**
 * One answer while it is made, and a little longer. It outlives its readers: they may leave and come back, and each
 * hears every frame once.
 *
 *     running ── terminal part ──► ended
 *        └── stop(): the parts end with `cancelled` ──┘
 */
export class AnswerRun {
  readonly identity: RunIdentity;
  readonly frames: PlacedFrame[] = [];
  endedAtMs: number | undefined;
  /** Since when nobody on this task reads it; `undefined` while somebody does. */
  unreadSinceMs: number | undefined;
  /** When the other tasks last heard whose answer it is; `undefined`: they never did. */
  claimedAtMs: number | undefined;
  /** How many of its frames other tasks can read. */
  keptFrames = 0;
  readonly #stop = new AbortController();
  readonly #readers = new Set<Reader>();
  #superseded = false;

  constructor(identity: RunIdentity) {
    this.identity = identity;
    const { clientMessageId, messageId } = identity;
    this.#place({ type: 'message', messageId, clientMessageId });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get ended(): boolean {
    return this.endedAtMs !== undefined;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Another task has begun the answer anew: nothing of this one counts any more. */
  get superseded(): boolean {
    return this.#superseded;
  }

  /** Whether it is still the answer to its message: one that was lost is answered anew. */
  get counts(): boolean {
    return !this.#superseded && this.frames.at(-1)?.lost !== true;
  }

  /** Whether other tasks can read all there is. */
  get isKept(): boolean {
    return this.keptFrames === this.frames.length;
  }

  stop(reason: Error): void {
    this.#stop.abort(reason);
  }

  supersede(): void {
    this.#superseded = true;
    this.stop(new AnswerLostError('the answer was begun anew elsewhere'));
  }

  /** Hands on what has come; what comes after the end is dropped. */
  append(parts: readonly AnswerPart[], nowMs: number): void {
    const from = this.frames.length;
    const { messageId } = this.identity;
    for (const part of joinDeltas(parts)) {
      if (this.ended) break;
      this.#place({ ...part, messageId });
      if (this.frames.at(-1)?.terminal) this.endedAtMs = nowMs;
    }
    const fresh = this.frames.slice(from);
    if (fresh.length === 0) return;
    for (const reader of this.#readers) this.#hand(reader, fresh, nowMs);
    if (this.ended) this.#readers.clear();
  }

  /** Begins to read after the cursor; a cursor of another epoch reads from the start. */
  join(reader: Reader, cursor: FramePosition | undefined): void {
    const missed = framesAfter(placeIn(this.identity.epoch, cursor), this.frames) ?? [];
    if (!this.ended) {
      this.#readers.add(reader);
      this.unreadSinceMs = undefined;
    }
    if (missed.length > 0) reader.take(missed);
  }

  leave(reader: Reader, nowMs: number): void {
    if (!this.#readers.delete(reader)) return;
    if (this.#readers.size === 0) this.unreadSinceMs = nowMs;
  }

  /** A reader that breaks leaves; the others hear on. */
  #hand(reader: Reader, frames: readonly PlacedFrame[], nowMs: number): void {
    try {
      reader.take(frames);
    } catch {
      this.leave(reader, nowMs);
    }
  }

  #place(frame: Parameters<typeof placeFrame>[1]): void {
    const { epoch } = this.identity;
    this.frames.push(placeFrame({ epoch, seq: this.frames.length }, frame));
  }
}

/** Where a reader stands in an answer: who comes from another one stands before its start. */
export function placeIn(epoch: number, cursor: FramePosition | undefined): FramePosition {
  return cursor?.epoch === epoch ? cursor : { epoch, seq: -1 };
}

/** Deltas that came together travel together. */
function joinDeltas(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  if (parts.length < 2) return parts;
  const joined: AnswerPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'delta' && last?.type === 'delta') {
      joined[joined.length - 1] = { type: 'delta', text: last.text + part.text };
    } else joined.push(part);
  }
  return joined;
}
