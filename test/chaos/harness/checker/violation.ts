/** The promises a run is held to. */
export type Invariant =
  /** Every accepted request has exactly one ending. */
  | 'I1'
  /** The ledger equals what the model saw. */
  | 'I2'
  /** No interval holds more grants than the limit allows. */
  | 'I3'
  /** No more calls at once than slots; slots come back. */
  | 'I4'
  /** A breaker rejects while open and probes with care. */
  | 'I9'
  /** Answers are what the model said: nothing lost, doubled or spliced. */
  | 'words'
  /** Nothing is left open once nothing happens. */
  | 'quiet';

export interface Violation {
  readonly invariant: Invariant;
  /** The request, attempt, target or thing it is about. */
  readonly subject: string;
  readonly message: string;
}
