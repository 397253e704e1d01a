import type { BreakerSettings, BreakerTransition } from './core/breaker';
import type { Amounts } from './core/bucket-limits';
import type { Clock, Random } from './core/clock';
import { Breaker } from './breaker';
import type { Bucket, BucketAnswer, Demand } from './bucket-port';
import { BreakerOpenError } from './errors';
import type { LocalBucket } from './local-bucket';

export interface FailoverBucketOptions<D extends string> {
  readonly shared: Bucket<D>;
  readonly local: LocalBucket<D>;
  readonly onTransition?: (transition: BreakerTransition) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

// Quick both ways: half a second of mostly failures decides, however busy it was before; the wait ahead of a
// probe stays below the five seconds in which the shared bucket is to be back.
const SHARED_BREAKER: Partial<BreakerSettings> = {
  windowBuckets: 5,
  bucketMs: 100,
  minimumCalls: 3,
  openMs: 500,
  maxOpenMs: 2_000,
  openJitter: 0.2,
  halfOpenPermits: 2,
  successesToClose: 2,
  maxHalfOpenWaitMs: 1_000,
};

// A single failure is no reason to leave; the caller asks again after this.
const ASK_AGAIN_MS = 20;

/**
 * The shared bucket while it answers, this process's share while it does not. Never neither. The share starts empty
 * on every switch, so switching back and forth grants nothing extra.
 */
export class FailoverBucket<D extends string> implements Bucket<D> {
  readonly #shared: Bucket<D>;
  readonly #local: LocalBucket<D>;
  readonly #breaker: Breaker;
  #source: 'shared' | 'local' = 'shared';

  constructor({ shared, local, onTransition, ...world }: FailoverBucketOptions<D>) {
    this.#shared = shared;
    this.#local = local;
    this.#breaker = new Breaker({
      name: 'shared bucket',
      settings: SHARED_BREAKER,
      onTransition: (transition) => {
        if (transition.from === 'closed') local.drain();
        this.#source = transition.to === 'closed' ? 'shared' : 'local';
        onTransition?.(transition);
      },
      ...world,
    });
  }

  get source(): 'shared' | 'local' {
    return this.#source;
  }

  async ask(demand: Demand<D>, maxWaitMs: number): Promise<BucketAnswer<D>> {
    try {
      return await this.#breaker.run(() => this.#shared.ask(demand, maxWaitMs));
    } catch (error) {
      const undecided = !(error instanceof BreakerOpenError) && this.#source === 'shared';
      if (undecided) return { kind: 'later', waitMs: ASK_AGAIN_MS };
      return this.#local.ask(demand, maxWaitMs);
    }
  }

  /** The answer names the bucket that gave it; this one is asked only by those who did not look. */
  settle(demand: Demand<D>, actual: Amounts<D>): Promise<void> {
    return (this.#source === 'shared' ? this.#shared : this.#local).settle(demand, actual);
  }

  cancel(demand: Demand<D>): Promise<void> {
    return (this.#source === 'shared' ? this.#shared : this.#local).cancel(demand);
  }
}
