import { CHAT_ALIASES, INTENTS } from '@matsuri/contract';
import { z } from 'zod';

/** An answer that was given before, and where it came from. */
export const cachedAnswerSchema = z.object({
  text: z.string().min(1),
  intent: z.enum(INTENTS),
  sources: z.array(z.object({ titleId: z.string(), title: z.string() })),
  /** Read back and compared: an entry that is not where it belongs is none. */
  tenantId: z.string(),
  /** Null: public within the tenant. */
  userId: z.string().nullable(),
  model: z.enum(CHAT_ALIASES),
  servedBy: z.string(),
  promptVersion: z.string(),
  /** The message it was made for, or what asked for it ahead of time. */
  madeFor: z.string(),
  writtenAtMs: z.number(),
  /** As long as it was meant to be served; load may stretch that. */
  freshSeconds: z.number(),
});

export type CachedAnswer = Readonly<z.output<typeof cachedAnswerSchema>>;

/** How an entry may be used now: as good as new, while answers are kept longer, or only when nothing better is had. */
export type Freshness = 'fresh' | 'stretched' | 'stale';

export function freshnessOf(
  { writtenAtMs, freshSeconds }: Pick<CachedAnswer, 'writtenAtMs' | 'freshSeconds'>,
  cacheSeconds: number,
  nowMs: number,
): Freshness {
  const ageMs = nowMs - writtenAtMs;
  if (ageMs <= freshSeconds * 1_000) return 'fresh';
  return ageMs <= cacheSeconds * 1_000 ? 'stretched' : 'stale';
}
