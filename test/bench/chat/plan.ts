/** What the models of the stand-in do: documented latencies, and answers that stream for a second. */
export const FIRST_TOKEN_MS = 200;
export const DELTAS = 100;
export const DELTA_MS = 10;

/** The other downstreams, as the platform's configuration documents them. */
export const INTENT_MS = 35;
export const HISTORY_MS = 10;
export const CACHE_MS = 2;
export const RETRIEVAL_MS = 20;
export const EMBEDDING_MS = 25;

/** A full answer is worth something within this time. */
export const ANSWER_DEADLINE_MS = 3_000;
/** A refusal that takes longer than this has cost its caller patience for nothing. */
export const REFUSAL_MS = 50;

export interface ChatPlan {
  readonly sessions: number;
  /** Messages a second of all active sessions together: a thousand that send one about every 30 s. */
  readonly messagesPerSecond: number;
  readonly activeSessions: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly search: { readonly from: number; readonly factor: number; readonly seconds: number };
  readonly stepSeconds: number;
  /** Offered load of each step, as multiples of the capacity that was found. */
  readonly steps: readonly number[];
}

export const FULL: ChatPlan = {
  sessions: 10_000,
  activeSessions: 1_000,
  messagesPerSecond: 1_000 / 30,
  warmUpSeconds: 20,
  seconds: 60,
  search: { from: 30, factor: 1.06, seconds: 15 },
  stepSeconds: 30,
  steps: [0.5, 1, 2, 4, 7, 10],
};

export const QUICK: ChatPlan = {
  sessions: 1_000,
  activeSessions: 300,
  messagesPerSecond: 10,
  warmUpSeconds: 5,
  seconds: 15,
  search: { from: 30, factor: 1.15, seconds: 5 },
  stepSeconds: 6,
  steps: [0.5, 1, 4, 10],
};
