import { CHAT_ALIASES, DEGRADATIONS, FALLBACK_RUNGS, type SharedQuestion } from '@matsuri/contract';
import { z } from 'zod';

/** What a leader says of its stream, in order; it ends with `end`, or with `broken` where nothing more will come. */
export const sharedEntrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begin'),
    model: z.enum(CHAT_ALIASES),
    servedBy: z.object({
      name: z.string(),
      target: z.object({ profile: z.string(), region: z.string() }),
    }),
    sources: z.array(z.object({ titleId: z.string(), title: z.string() })),
    degraded: z.array(z.enum(DEGRADATIONS)),
    rung: z.enum(FALLBACK_RUNGS),
  }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('end'), finish: z.enum(['stop', 'length', 'filtered']) }),
  z.object({ type: z.literal('broken') }),
]);

export type SharedEntry = z.output<typeof sharedEntrySchema>;

/** A stream that this task leads, for as long as it says so. */
export interface LedStream {
  /** Hands on what has come; nobody waits for it. */
  publish(entry: SharedEntry): void;
  /** Whether anybody reads it at another task. */
  hasReaders(): Promise<boolean>;
  /** Lets go of it once all is handed on. */
  close(): Promise<void>;
}

/** A stream that another task leads. */
export interface DistantStream {
  /** What came since this was last asked. */
  read(): Promise<readonly SharedEntry[]>;
  /** Tells the leader that somebody reads. */
  attend(): Promise<void>;
  /** Whether its leader still leads. */
  isLed(): Promise<boolean>;
}

type StreamClaim =
  | { readonly kind: 'leading'; readonly stream: LedStream }
  | { readonly kind: 'following'; readonly stream: DistantStream };

/**
 * Streams that tasks share, as leases that expire. Nothing hangs on it: where it cannot be asked every method but
 * `publish` rejects, and a task asks the models itself.
 */
export interface SharedStreams {
  claim(question: SharedQuestion): Promise<StreamClaim>;
}
