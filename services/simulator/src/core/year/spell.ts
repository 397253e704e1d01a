import type { ChatAlias, Occurrence } from '@matsuri/contract';
import type { Passage } from '../models/model-door';

/** One event, or one day without any, and how it went. */
export interface Spell {
  readonly event: Occurrence | undefined;
  readonly startMs: number;
  messages: number;
  late: number;
  dropped: number;
  readonly throttled: Record<ChatAlias, number>;
  /** Where an alias was short of quota: by how much at most, of which kind, and when. */
  readonly shortage: Partial<Record<ChatAlias, Shortage>>;
  /** Tasks that would have let nobody wait, at most. */
  neededTasks: number;
  /** Tasks that ran when most were late. */
  tasksWhenLate: number;
  lateAtMs: number | undefined;
  modelDollars: number;
  dearestHourDollars: number;
  dearestAtMs: number;
}

export interface Shortage {
  readonly limit: 'requestsPerMinute' | 'tokensPerMinute';
  readonly asked: number;
  readonly atMs: number;
}

export function newSpell(event: Occurrence | undefined, startMs: number): Spell {
  return {
    event,
    startMs,
    messages: 0,
    late: 0,
    dropped: 0,
    throttled: { complex: 0, simple: 0 },
    shortage: {},
    neededTasks: 0,
    tasksWhenLate: 0,
    lateAtMs: undefined,
    modelDollars: 0,
    dearestHourDollars: 0,
    dearestAtMs: startMs,
  };
}

export function violatingShare(spell: Spell): number {
  const { late, dropped, throttled, messages } = spell;
  if (messages === 0) return 0;
  return (late + dropped + throttled.complex + throttled.simple) / messages;
}

/** Keeps the largest shortage of each alias. */
export function noteShortage(spell: Spell, alias: ChatAlias, passage: Passage, atMs: number): void {
  const { limit, asked } = passage;
  if (limit === undefined) return;
  const known = spell.shortage[alias];
  if (known !== undefined && (known.limit !== limit || known.asked >= asked[limit])) return;
  spell.shortage[alias] = { limit, asked: asked[limit], atMs };
}
