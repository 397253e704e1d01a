import { clientFrameSchema, idSchema, MAX_MESSAGE_CHARACTERS } from '@matsuri/contract';
import type { ClientFrame } from '@matsuri/contract';
import { z } from 'zod';

/** Something a client said that is no frame, and what it is told. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly code: 'invalid_frame' | 'message_too_long';
  readonly message: string;
  /** The message that waits for an answer, where one can be made out. */
  readonly clientMessageId?: string;
}

const messageWithId = z.object({ type: z.literal('message'), clientMessageId: idSchema });

const NO_FRAME = 'This is not a frame of the chat protocol.';
const TOO_LONG = `The text of a message is at most ${MAX_MESSAGE_CHARACTERS} characters long.`;

/** Reads what a client sent. A message that cannot be taken is refused by its id: its client waits for a word on it. */
export function readClientFrame(
  text: string,
): { readonly kind: 'frame'; readonly frame: ClientFrame } | Unreadable {
  const said = parseJson(text);
  const parsed = clientFrameSchema.safeParse(said);
  if (parsed.success) return { kind: 'frame', frame: parsed.data };
  const waiting = messageWithId.safeParse(said).data;
  const isTooLong = parsed.error.issues.some(
    ({ code, path }) => code === 'too_big' && path[0] === 'text',
  );
  return {
    kind: 'unreadable',
    ...(isTooLong
      ? { code: 'message_too_long', message: TOO_LONG }
      : { code: 'invalid_frame', message: NO_FRAME }),
    ...(waiting && { clientMessageId: waiting.clientMessageId }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
