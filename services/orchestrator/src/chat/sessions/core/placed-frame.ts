import { formatFrameId, isTerminal, type FramePosition, type ServerFrame } from '@matsuri/contract';

/** A frame at its place, rendered once for everybody who hears it. */
export interface PlacedFrame extends FramePosition {
  readonly type: ServerFrame['type'];
  /** The answer says no more after it. */
  readonly terminal: boolean;
  /** It ends an answer that was not finished: a resend of its message is answered anew. */
  readonly lost: boolean;
  /** The JSON that travels. */
  readonly text: string;
}

type Placeless<Frame> = Frame extends unknown ? Omit<Frame, 'id'> : never;

/** Gives a frame its place. */
export function placeFrame(
  { epoch, seq }: FramePosition,
  frame: Placeless<ServerFrame>,
): PlacedFrame {
  const placed: ServerFrame = { id: formatFrameId({ epoch, seq }), ...frame };
  const lost = placed.type === 'error' && placed.code === 'answer_lost';
  const text = JSON.stringify(placed);
  return { epoch, seq, type: placed.type, terminal: isTerminal(placed), lost, text };
}

/** Where a session stands before its first answer. */
export const BEFORE_ALL: FramePosition = { epoch: 0, seq: 0 };

/**
 * The frames of one answer that a reader has not seen; `undefined` where some in between are missing, so that nobody
 * is given an answer with a hole in it.
 */
export function framesAfter(
  cursor: FramePosition,
  frames: readonly PlacedFrame[],
): readonly PlacedFrame[] | undefined {
  const unseen = frames.filter(({ epoch, seq }) => epoch === cursor.epoch && seq > cursor.seq);
  const whole = unseen.every(({ seq }, at) => seq === cursor.seq + 1 + at);
  return whole ? unseen : undefined;
}
