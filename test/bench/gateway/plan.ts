/** Everything a request can go through, in the order in which they take turns. */
export const SYSTEMS = ['direct', 'bare_proxy', 'ours', 'portkey'] as const;

export type SystemName = (typeof SYSTEMS)[number];

/** An answer in one piece, or as a stream of deltas. */
export const SHAPES = ['json', 'sse'] as const;

export type Shape = (typeof SHAPES)[number];

/** How quickly the model begins to answer. */
export const UPSTREAMS = ['instant', 'slow'] as const;

export type Upstream = (typeof UPSTREAMS)[number];

/** Text deltas of every answer. */
export const DELTAS = 20;

/** How the stand-in paces its answers; the JSON answer comes whole, when its last token would. */
export const PACING: Readonly<Record<Upstream, Readonly<Record<Shape, object | 'instant'>>>> = {
  instant: { json: 'instant', sse: 'instant' },
  slow: {
    json: { firstTokenMs: 50, tokensPerSecond: 1_000_000 },
    // One delta per millisecond, so that they travel one by one as real ones do.
    sse: { firstTokenMs: 50, tokensPerSecond: 1_000 },
  },
};

export interface Plan {
  readonly rounds: number;
  readonly roundSeconds: number;
  /** Of each shape, to each system. */
  readonly warmUpRequests: number;
  readonly warmUpConcurrency: number;
  /** Kept-alive connections to each system, used in turn. */
  readonly connections: number;
  /** Of each shape, to each system, with every connection busy at once. */
  readonly crowdRequests: number;
  /** With the instant upstream about half of what the slowest system can do on one core. */
  readonly requestsPerSecond: Readonly<Record<Upstream, Readonly<Record<Shape, number>>>>;
}

export const FULL: Plan = {
  rounds: 5,
  roundSeconds: 4,
  // What runs once per request is compiled for the last time after some ten thousand of them.
  warmUpRequests: 15_000,
  warmUpConcurrency: 32,
  connections: 1_000,
  crowdRequests: 4_000,
  requestsPerSecond: {
    instant: { json: 800, sse: 500 },
    slow: { json: 150, sse: 50 },
  },
};

export const QUICK: Plan = {
  ...FULL,
  rounds: 1,
  roundSeconds: 2,
  warmUpRequests: 500,
  connections: 200,
  crowdRequests: 400,
};
