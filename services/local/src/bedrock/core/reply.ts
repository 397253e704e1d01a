/** Bytes that are due at a moment after the call was accepted. */
export interface Step {
  readonly atMs: number;
  readonly bytes: Buffer;
  /** Output tokens that are with the caller once these bytes are. */
  readonly tokens: number;
  /** Whether the caller learns the call's usage from these bytes. */
  readonly statesUsage?: boolean;
}

/** How a reply ends: properly, by a reset of the connection, or never. */
export type Ending = 'end' | 'reset' | 'hang';

/** Everything that will be sent in answer to one call, and when. */
export interface Reply {
  readonly status: number;
  /** Sent with the first step, or with the end when there is none. */
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: Iterable<Step>;
  readonly ending: Ending;
  /** What the ledger says of a reply that was sent as planned. */
  readonly outcome: 'finished' | 'refused' | 'broken';
  /** Whether generation goes on after the caller has left. */
  readonly outlivesCaller: boolean;
}
