import type { CacheScope, Intent } from '@matsuri/contract';

/** What an answer was made from. */
export interface AnswerContext {
  readonly userId: string;
  /** Undefined: nobody could say what the question wants. */
  readonly intent: Intent | undefined;
  readonly question: string;
  /** Undefined: it could not be read. */
  readonly historyTurns: number | undefined;
}

/** Answers about somebody's own things. */
const PERSONAL_INTENTS: ReadonlySet<Intent> = new Set([
  'order_status',
  'wishlist',
  'purchase',
  'order_confirmation',
]);

/** An address, or digits as long as an order, a telephone or a card has them. */
const PERSONAL_FACTS = /\S@\S|\d(?:[\s-]?\d){5,}/;

/** People who speak of themselves and what is theirs. */
const SPEAKS_OF_SELF =
  /\b(?:my|mine|i'm|i am|i've|i have|i bought|i ordered)\b|私|わたし|僕|ぼく|俺|自分|うちの|うちに/i;

/**
 * Who may be served the answer later: everybody of the tenant only where nothing personal went into it; nobody where
 * it continues a conversation, or may do, since the same words mean something else in another one.
 */
export function cacheScope(context: AnswerContext): CacheScope | undefined {
  const { userId, intent, question, historyTurns } = context;
  if (intent === 'multi_turn' || historyTurns !== 0) return undefined;
  const personal = intent === undefined || PERSONAL_INTENTS.has(intent) || isPersonal(question);
  return personal ? { kind: 'user', userId } : { kind: 'public' };
}

/** Whether a question tells of the person who asks it. */
function isPersonal(question: string): boolean {
  const text = question.normalize('NFKC');
  return PERSONAL_FACTS.test(text) || SPEAKS_OF_SELF.test(text);
}
