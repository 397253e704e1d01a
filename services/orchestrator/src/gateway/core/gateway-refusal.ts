/** Why the gateway did not answer a call, in its own words; each surface renders it in its own. */
export type GatewayRefusal =
  | {
      readonly reason: 'model-not-found' | 'model-not-allowed' | 'residency-not-allowed';
      readonly subject: string;
    }
  /** Coming back in `waitMs` helps. */
  | {
      readonly reason:
        | 'overloaded'
        | 'requests-limited'
        | 'tokens-limited'
        | 'ledger-unavailable'
        | 'upstream-throttled';
      readonly subject: string;
      readonly waitMs: number;
    }
  /** More tokens than the limit ever holds. */
  | { readonly reason: 'tokens-beyond-limit'; readonly subject: string }
  | { readonly reason: 'spend-cap-reached'; readonly subject: 'day' | 'month' }
  | { readonly reason: 'key-invalid' }
  /** The model itself refused what it was asked, in these words. */
  | { readonly reason: 'upstream-rejected'; readonly message: string }
  | {
      readonly reason:
        'upstream-failed' | 'upstream-misconfigured' | 'first-content-late' | 'answer-cut';
      readonly subject: string;
    }
  /** The limit of an answer that is not streamed passed. */
  | { readonly reason: 'answer-late'; readonly subject: string; readonly waitMs: number };
