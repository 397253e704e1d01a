import { randomUUID } from 'node:crypto';

/** How an answer introduces itself. */
export interface CompletionIntroduction {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** The model that answered. */
  readonly model: string;
}

export function completionHead(model: string): CompletionIntroduction {
  return { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1_000), model };
}
