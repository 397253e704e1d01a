import { z } from 'zod';
import { INTENTS } from '../names/intents';
import { frameIdSchema } from './frame-id';
import { idSchema } from './ids';

/**
 * The chat protocol, over WebSocket (one JSON frame per message) and SSE (`event` = type, `id` = id). How to write a
 * client is in `docs/chat-protocol.md`.
 *
 * A client sends `message`; the server answers `message` (accepted), then any of `sources`, `degraded`,
 * `delta`, `usage`, and ends the answer with exactly one `done` or `error`. One answer runs at a time; a
 * message that is refused gets one `error` that names its `clientMessageId` and nothing else, also where the frame is
 * wrong in itself (`invalid_frame`, `message_too_long`) and an id can be made out in it.
 *
 * After a lost connection the client sends `resume` with the id of the last frame it saw, to any task: it gets the
 * frames after it, or an `error` with code `answer_lost`, which ends the answer it was reading even where it names no
 * message, because nothing is known of it any more. It may then send the message again under the same
 * `clientMessageId`: a `message` frame with a higher epoch says that the answer was restarted, and what came
 * before is to be forgotten. A client that never saw its message accepted simply sends it again. `reconnect` asks
 * it to move to another task; `ping` keeps the line open. Frames about the connection repeat the id of the last
 * frame of an answer.
 */
const answerFields = { id: frameIdSchema, messageId: idSchema };

const tokenCount = z.int().nonnegative();

const sourceSchema = z.object({
  titleId: idSchema,
  title: z.string(),
  url: z.url({ protocol: /^https?$/ }).optional(),
});

export const DEGRADATIONS = [
  'intent',
  'history',
  'cache',
  'embedding',
  'retrieval',
  'model',
  'limits',
] as const;

/** Rungs of the fallback ladder, best first. */
export const FALLBACK_RUNGS = [
  'full',
  'longer_cache',
  'coalesced',
  'small_model',
  'cached_answer',
  'template',
  'apology',
] as const;

export const FRAME_ERRORS = [
  'invalid_frame',
  'message_too_long',
  'unauthorised',
  'busy',
  'overloaded',
  'timeout',
  'upstream_failed',
  'answer_lost',
  'internal',
] as const;

/** How an answer may break off: its model did, or it is lost with the task that made it. */
export const BREAK_CODES = [
  'upstream_failed',
  'answer_lost',
] as const satisfies readonly (typeof FRAME_ERRORS)[number][];

/** In UTF-16 code units, as JavaScript counts. */
export const MAX_MESSAGE_CHARACTERS = 16_000;

/** From the browser. Unknown fields are dropped, unknown types refused. */
export const clientFrameSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    /** Chosen by the client; a resend with the same one is answered from what already exists. */
    clientMessageId: idSchema,
    text: z.string().min(1).max(MAX_MESSAGE_CHARACTERS),
    locale: z.enum(['ja', 'en']).optional(),
  }),
  z.object({ type: z.literal('cancel'), messageId: idSchema }),
  z.object({ type: z.literal('resume'), lastId: frameIdSchema }),
  z.object({ type: z.literal('pong') }),
]);

/** To the browser. */
export const serverFrameSchema = z.discriminatedUnion('type', [
  z.object({ ...answerFields, type: z.literal('message'), clientMessageId: idSchema }),
  z.object({ ...answerFields, type: z.literal('delta'), text: z.string() }),
  z.object({ ...answerFields, type: z.literal('sources'), sources: z.array(sourceSchema) }),
  z.object({
    ...answerFields,
    type: z.literal('degraded'),
    parts: z.array(z.enum(DEGRADATIONS)),
    rung: z.enum(FALLBACK_RUNGS),
    /** A word for programs, not for people: those are told by `rung` and `parts`. */
    reason: z.string(),
  }),
  z.object({
    ...answerFields,
    type: z.literal('usage'),
    model: z.string(),
    inputTokens: tokenCount,
    outputTokens: tokenCount,
    cacheReadTokens: tokenCount,
    cacheWriteTokens: tokenCount,
    dollars: z.number().nonnegative(),
  }),
  z.object({
    ...answerFields,
    type: z.literal('done'),
    finish: z.enum(['stop', 'length', 'cancelled', 'filtered']),
    intent: z.enum(INTENTS),
  }),
  z.object({
    id: frameIdSchema,
    /** Absent where the error is about the connection, or about an answer of which nothing is known any more. */
    messageId: idSchema.optional(),
    /** The message that was refused, where it was never accepted. */
    clientMessageId: idSchema.optional(),
    type: z.literal('error'),
    code: z.enum(FRAME_ERRORS),
    message: z.string(),
    retryAfterMs: z.int().nonnegative().optional(),
  }),
  z.object({ id: frameIdSchema, type: z.literal('ping') }),
  z.object({
    id: frameIdSchema,
    type: z.literal('reconnect'),
    /** Jittered by the server, so that a drain does not become a stampede. */
    afterMs: z.int().nonnegative(),
    reason: z.enum(['drain', 'recycle', 'rebalance']),
  }),
]);

export type ClientFrame = z.output<typeof clientFrameSchema>;
export type ServerFrame = z.output<typeof serverFrameSchema>;

/**
 * After one of these a message hears no more; an error about the connection ends no answer. A lost answer has ended
 * whether or not the frame can name it: it is the one the client was reading.
 */
export function isTerminal(frame: ServerFrame): boolean {
  if (frame.type === 'done') return true;
  if (frame.type !== 'error') return false;
  const { code, messageId, clientMessageId } = frame;
  return code === 'answer_lost' || messageId !== undefined || clientMessageId !== undefined;
}
