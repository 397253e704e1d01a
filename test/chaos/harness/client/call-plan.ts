/** When and how a client leaves. */
export type Departure =
  | { readonly kind: 'stays' }
  /** So long after its request is out, whether or not an answer has begun. */
  | { readonly kind: 'before-headers'; readonly afterMs: number }
  | { readonly kind: 'at-first-byte' }
  | { readonly kind: 'in-the-middle'; readonly afterEvents: number }
  /** The answer is complete but for its end mark. */
  | { readonly kind: 'at-last-byte' }
  /** Closes its own side of the connection and would go on reading. */
  | { readonly kind: 'half-close'; readonly afterEvents: number }
  /** Takes nothing for a while; then it leaves, or reads on. */
  | {
      readonly kind: 'stops-reading';
      readonly afterEvents: number;
      readonly forMs: number;
      readonly then: 'leaves' | 'reads-on';
    };

/** One call as a client makes it. */
export interface CallPlan {
  readonly id: string;
  readonly tenant: string;
  readonly stream: boolean;
  /** What is posted, as JSON. */
  readonly body: Readonly<Record<string, unknown>> & { readonly model: string };
  readonly departure: Departure;
}
