import { z } from 'zod';

const FRAME_ID = /^(0|[1-9]\d{0,14}):(0|[1-9]\d{0,14})$/;

/**
 * The place of a frame in its session: `epoch:seq`. Every answer has an epoch of its own, higher than any before it,
 * and so has every restart of one; within it `seq` has no gaps.
 */
export const frameIdSchema = z.string().regex(FRAME_ID, 'must be epoch:seq');

export interface FramePosition {
  readonly epoch: number;
  readonly seq: number;
}

export function formatFrameId(position: FramePosition): string {
  return `${position.epoch}:${position.seq}`;
}

/** Undefined for anything a client made up. */
export function parseFrameId(text: string): FramePosition | undefined {
  const [, epoch, seq] = FRAME_ID.exec(text) ?? [];
  if (epoch === undefined || seq === undefined) return undefined;
  return { epoch: Number(epoch), seq: Number(seq) };
}

/** Negative when `a` comes before `b`. */
export function compareFrames(a: FramePosition, b: FramePosition): number {
  return a.epoch - b.epoch || a.seq - b.seq;
}
