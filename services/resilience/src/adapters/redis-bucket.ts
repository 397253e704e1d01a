import type { RedisOptions } from 'ioredis';
import {
  chargeOf,
  differenceOf,
  dimensionsOf,
  timeToFullMs,
  type Amounts,
  type Charge,
} from '../core/bucket-limits';
import type { Clock } from '../core/clock';
import type { Bucket, BucketAnswer, BucketPolicy, Demand } from '../bucket-port';
import { UNBOUNDED } from '../request-scope';
import { systemClock } from '../system-clock';
import { withDeadline } from '../with-deadline';
import { BUCKET_SCRIPT } from './bucket-script';
import { integersOf, RedisScript, type ScriptClient } from './redis-script';

const script = new RedisScript(BUCKET_SCRIPT);

/** A client for limits fails at once rather than queue, and is back soon after its server. */
export const LIMIT_REDIS_OPTIONS = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
} as const satisfies RedisOptions;

/** What a client tells of its connection. */
interface ConnectionEvents {
  on(event: 'close' | 'ready', listener: () => void): unknown;
}

export interface RedisBucketOptions<D extends string> {
  readonly redis: ScriptClient & ConnectionEvents;
  readonly policy: BucketPolicy<D>;
  /** All with one hash tag, so that one script may touch them in a cluster. */
  readonly keys: { readonly group: string; readonly tenant: (tenant: string) => string };
  /** An answer that takes longer is none. @default 100 */
  readonly commandTimeoutMs?: number;
  readonly clock?: Clock;
}

const KINDS = [undefined, 'granted', 'later', 'refused'] as const;

// The script answers in microseconds up to a day; beyond that nobody waits.
const MAX_WAIT_MS = 86_400_000;

/** The bucket that all processes share: one script, on the server's clock. */
export class RedisBucket<D extends string> implements Bucket<D> {
  readonly source = 'shared';
  readonly #redis: RedisBucketOptions<D>['redis'];
  readonly #policy: BucketPolicy<D>;
  readonly #keys: RedisBucketOptions<D>['keys'];
  readonly #commandTimeoutMs: number;
  readonly #clock: Clock;
  #distrustUntilMs = -Infinity;

  constructor(options: RedisBucketOptions<D>) {
    this.#redis = options.redis;
    this.#policy = options.policy;
    this.#keys = inOneSlot(options.keys);
    this.#commandTimeoutMs = options.commandTimeoutMs ?? 100;
    this.#clock = options.clock ?? systemClock;
    this.#watchConnection();
  }

  async ask(demand: Demand<D>, maxWaitMs: number): Promise<BucketAnswer<D>> {
    const { maxBookedPerTenant, maxBooked } = this.#policy;
    const maxWaitMicros = Math.floor(Math.min(maxWaitMs, MAX_WAIT_MS) * 1_000);
    const limits = [maxWaitMicros, maxBookedPerTenant, maxBooked];
    const [code, atMicros, nowMicros] = await this.#run('reserve', demand, demand.amounts, limits);
    const kind = KINDS[code];
    if (!kind) throw new RangeError(`the bucket script answered with code ${code}`);
    const waitMs = (atMicros - nowMicros) / 1_000;
    if (kind !== 'granted') return { kind, waitMs };
    return { kind, waitMs, grantedAtMicros: atMicros, bucket: this };
  }

  async settle(demand: Demand<D>, actual: Amounts<D>): Promise<void> {
    const dimensions = dimensionsOf(this.#policy.limits);
    await this.#run('settle', demand, differenceOf(demand.amounts, actual, dimensions));
  }

  async cancel(demand: Demand<D>): Promise<void> {
    await this.#run('cancel', demand, demand.amounts);
  }

  async #run(
    op: 'reserve' | 'settle' | 'cancel',
    { id, tenant }: Demand<D>,
    amounts: Amounts<D>,
    limits: readonly number[] = [0, 0, 0],
  ): Promise<readonly [number, number, number]> {
    const keys = [this.#keys.group, this.#keys.tenant(tenant)];
    const charges = [
      ...chargeArguments(chargeOf(this.#policy.limits, amounts)),
      ...chargeArguments(chargeOf(this.#policy.tenantLimits(tenant), amounts)),
    ];
    const args = [op, id, this.#start(), ...limits, ...charges];
    const reply = await withDeadline(
      UNBOUNDED,
      this.#commandTimeoutMs,
      () => script.run(this.#redis, keys, args),
      this.#clock,
    );
    const [code = 0, atMicros = 0, nowMicros = 0] = integersOf(reply, 3);
    return [code, atMicros, nowMicros];
  }

  /**
   * A ledger that is not there means a full bucket, unless the server may just have lost it: for one
   * time-to-full after a reconnection it then means an empty one.
   */
  #start(): 'full' | 'drained' {
    return this.#clock.nowMs() < this.#distrustUntilMs ? 'drained' : 'full';
  }

  #watchConnection(): void {
    this.#redis.on('close', () => (this.#distrustUntilMs = Infinity));
    this.#redis.on('ready', () => {
      if (this.#distrustUntilMs !== Infinity) return;
      this.#distrustUntilMs = this.#clock.nowMs() + timeToFullMs(this.#policy.limits);
    });
  }
}

const hashTag = (key: string): string | undefined => /\{([^}]+)\}/.exec(key)?.[1];

function inOneSlot<K extends RedisBucketOptions<string>['keys']>(keys: K): K {
  const tag = hashTag(keys.group);
  if (tag !== undefined && tag === hashTag(keys.tenant('any'))) return keys;
  throw new RangeError('the keys of a bucket and its tenants need one hash tag, {like this}');
}

const chargeArguments = ({ costs, bursts }: Charge): readonly number[] => [
  costs.length,
  ...costs,
  ...bursts,
];
