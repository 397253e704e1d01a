import type { FramePosition } from '@matsuri/contract';
import type { SessionRef } from '../ports';
import type { RunIdentity } from './answer-run';
import type { PlacedFrame } from './core/placed-frame';

interface Claim {
  readonly session: SessionRef;
  readonly clientMessageId: string;
  /** The message's id, should it be new. */
  readonly messageId: string;
  /** The lowest epoch the answer may have. */
  readonly leastEpoch: number;
  /** The epochs of answers known to be lost or over: they stand in nobody's way. */
  readonly lostEpochs?: readonly number[];
}

/** An answer as other tasks know it. */
export interface KnownAnswer {
  readonly epoch: number;
  readonly messageId: string;
  readonly taskId: string;
}

export type ClaimOutcome =
  | { readonly kind: 'new'; readonly epoch: number; readonly messageId: string }
  /** The same message was claimed before. */
  | ({ readonly kind: 'known' } & KnownAnswer)
  /** Another message of the session is being answered. */
  | ({ readonly kind: 'busy' } & KnownAnswer);

/** Frames to keep, of one answer. */
export interface FrameWrite {
  readonly session: SessionRef;
  readonly epoch: number;
  readonly frames: readonly PlacedFrame[];
  /** The last of them ends the answer. */
  readonly ended: boolean;
}

/**
 * `kept`: up to this seq. `superseded`: a later epoch has begun, and nothing of this one is kept any more. `forgotten`:
 * nothing was kept, because what came before it is not there any more.
 */
export type WriteOutcome =
  | { readonly kind: 'kept'; readonly seq: number }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'failed' };

/** That somebody reads, or that the answer to this message is to end. */
export type Attention = 'reading' | { readonly cancel: string };

/**
 * What tasks share of their sessions' answers, for some minutes. Correctness does not hang on it: where it cannot be
 * asked a task is on its own. A method for one thing then rejects soon; a method for many says so of each.
 */
export interface FrameLog {
  /** How this task is known to the others. */
  readonly taskId: string;
  /** Decides, among all tasks, who answers a message and under which epoch. */
  claim(claim: Claim): Promise<ClaimOutcome>;
  /**
   * Says again whose these answers are, so that what is known of them does not run out. For each: whether it still is the
   * newest of its session; `undefined` where nobody heard.
   */
  renew(answers: readonly RunIdentity[]): Promise<readonly (boolean | undefined)[]>;
  /** One round trip for all of them. */
  write(writes: readonly FrameWrite[]): Promise<readonly WriteOutcome[]>;
  /** Frames of the cursor's epoch after it, in order. */
  read(session: SessionRef, cursor: FramePosition): Promise<readonly PlacedFrame[]>;
  /** The newest answer of the session; `undefined` where none is remembered. */
  newest(session: SessionRef): Promise<KnownAnswer | undefined>;
  /** Whether more of it may come: its maker lives, and no later answer has taken its place. */
  isMade(session: SessionRef, answer: KnownAnswer): Promise<boolean>;
  /** Tells the task that makes the session's answer what its client wants. */
  attend(session: SessionRef, attention: Attention): Promise<void>;
  /** What was told so for each session since it was last taken; `undefined` where nothing was, or nothing came. */
  takeAttentions(sessions: readonly SessionRef[]): Promise<readonly (Attention | undefined)[]>;
  /** Says that this task lives; whether that was known. If not, others may have taken its answers for lost. */
  beat(): Promise<boolean>;
  /** Says that it does no more. */
  retire(): Promise<void>;
}
