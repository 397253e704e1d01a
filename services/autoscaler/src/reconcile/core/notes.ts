import { z } from 'zod';

const riseSchema = z.object({
  /** Tasks asked for when it began. */
  target: z.int().nonnegative(),
  sinceMs: z.number().nonnegative(),
});

/** Tasks were asked for that do not run yet. */
export type Rise = z.output<typeof riseSchema>;

const pageSchema = z.object({
  key: z.string(),
  severity: z.enum(['page', 'warning', 'info']),
  title: z.string(),
  text: z.string(),
});

const decidedSchema = z.object({
  atMs: z.number().nonnegative(),
  state: z.string(),
  reason: z.string(),
  floor: z.int().nonnegative(),
  floorReason: z.string(),
});

const notesSchema = z.object({
  rise: riseSchema.optional(),
  /** Pages nobody has confirmed yet; whoever goes on sends them. */
  unsent: z.array(pageSchema).default([]),
  /** The last decision in words, for people. */
  decided: decidedSchema.optional(),
  owner: z.string().optional(),
});

/** What is kept beside the state of the decisions. */
export type Notes = z.output<typeof notesSchema>;

const NO_NOTES: Notes = { unsent: [] };

export function encodeNotes(notes: Notes): string {
  return JSON.stringify(notes);
}

/** What cannot be understood is forgotten: nothing here decides. */
export function restoreNotes(stored: string | undefined): Notes {
  if (stored === undefined) return NO_NOTES;
  try {
    return notesSchema.safeParse(JSON.parse(stored)).data ?? NO_NOTES;
  } catch {
    return NO_NOTES;
  }
}
