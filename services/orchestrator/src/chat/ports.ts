import type { DEGRADATIONS, FALLBACK_RUNGS, ServerFrame } from '@matsuri/contract';
import type { Caller } from '../gateway/gateway';

/** One session of one end user of one tenant: every look-up names all three. */
export interface SessionRef {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** A question and what was answered to it. */
export interface Turn {
  readonly messageId: string;
  readonly askedAtMs: number;
  readonly question: string;
  readonly answer: string;
}

/** What is kept of sessions. Nothing of another tenant or user is ever found. */
export interface SessionStore {
  create(session: SessionRef): Promise<void>;
  exists(session: SessionRef, signal: AbortSignal): Promise<boolean>;
  /** Oldest first. */
  lastTurns(session: SessionRef, limit: number, signal: AbortSignal): Promise<readonly Turn[]>;
  append(session: SessionRef, turn: Turn): Promise<void>;
}

export interface Question {
  readonly session: SessionRef;
  readonly messageId: string;
  readonly text: string;
  readonly locale?: 'ja' | 'en';
  /** On whose behalf models are called; its user is the end user. */
  readonly caller: Caller;
}

type AnswerFrame = Extract<
  ServerFrame,
  { type: 'delta' | 'sources' | 'degraded' | 'usage' | 'done' | 'error' }
>;
type Unplaced<Frame> = Frame extends unknown ? Omit<Frame, 'id' | 'messageId'> : never;

/** A frame of an answer before the session has given it its place (`id`, `messageId`). */
export type AnswerPart = Unplaced<AnswerFrame>;

/** Why an answer is stopped that its client is told is lost: it may be asked for anew, so nothing of it is kept. */
export class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError';
}

/** How an answer ends that could not be finished: its message, sent again, is answered anew. */
export const LOST_PART = {
  type: 'error',
  code: 'answer_lost',
  message: 'The rest of this answer is lost. Send the message again to have it answered anew.',
} as const satisfies AnswerPart;

export type Degradation = (typeof DEGRADATIONS)[number];
export type Rung = (typeof FALLBACK_RUNGS)[number];

/**
 * Makes answers. The parts come in order, in batches as they arrive, and end with exactly one `done` or `error`, whatever
 * fails: the iteration itself never throws. Aborting the signal stops every downstream at once, settles what was used,
 * and ends the answer with `done` (`cancelled`); what was said by then is kept as a turn, unless the reason is an
 * `AnswerLostError`. What remains to be done after the last part (turn, cache, usage)
 * runs detached and bounded.
 */
export interface Answerer {
  answer(question: Question, signal: AbortSignal): AsyncIterable<readonly AnswerPart[]>;
  /** Ends what is still being made for readers at other tasks: they hear of it and ask anew. */
  abandon(): void;
  /** Resolves when nothing is left to be done for answers that have ended. */
  idle(): Promise<void>;
}
