import { BoundedMemo } from '../core/bounded-memo';
import { differenceOf, PriceList, sumOf, timeToFullMs, type Amounts } from '../core/bucket-limits';
import type { Clock } from '../core/clock';
import { afterTurn, AnswerWatch, type AfterTurn } from '../answer-watch';
import type { Bucket, BucketAnswer, BucketPolicy, Demand } from '../bucket-port';
import { systemClock } from '../system-clock';
import { BUCKET_SCRIPT } from './bucket-script';
import { integersOf, RedisScript, type ScriptClient } from './redis-script';

const script = new RedisScript(BUCKET_SCRIPT);

/** What a client tells of its connection. */
interface ConnectionEvents {
  on(event: 'close' | 'ready', listener: () => void): unknown;
}

export interface RedisBucketOptions<D extends string> {
  readonly redis: ScriptClient & ConnectionEvents;
  readonly policy: BucketPolicy<D>;
  /** All with one hash tag, so that one script may touch them in a cluster. */
  readonly keys: { readonly group: string; readonly tenant: (tenant: string) => string };
  /** A server that is silent for longer does not answer. @default 100 */
  readonly commandTimeoutMs?: number;
  /** When what was asked meanwhile is sent together. @default at the end of the event loop's turn */
  readonly afterTurn?: AfterTurn;
  readonly clock?: Clock;
}

const OPS = { reserve: 1, settle: 2, cancel: 3 } as const;
const KINDS = [undefined, 'granted', 'later', 'refused'] as const;

// The script answers in microseconds up to a day; beyond that nobody waits.
const MAX_WAIT_MS = 86_400_000;

// Nobody waits for a settlement: it goes along with the next question, or by itself after this.
const SETTLE_LINGER_MS = 20;

// The server does nothing else while a script runs.
const MAX_OPERATIONS = 128;

const MAX_TENANTS = 10_000;

interface Tenant<D extends string> {
  readonly key: string;
  readonly prices: PriceList<D>;
  /** As the script reads them. */
  readonly bursts: string;
}

interface Operation<D extends string> {
  readonly op: keyof typeof OPS;
  readonly id: string;
  readonly tenant: Tenant<D>;
  readonly amounts: Amounts<D>;
  readonly maxWaitMicros: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly code: number;
  readonly atMicros: number;
  readonly nowMicros: number;
  /** By dimension. */
  readonly untilFullMicros: readonly number[];
}

interface Settlement<D extends string> {
  readonly amounts: Amounts<D>;
  readonly done: Promise<void>;
  readonly operation: Omit<Operation<D>, 'amounts'>;
}

/**
 * The bucket that all processes share: one script, on the server's clock. What is asked in one turn of the event
 * loop goes out in one command.
 */
export class RedisBucket<D extends string> implements Bucket<D> {
  readonly source = 'shared';
  readonly #redis: RedisBucketOptions<D>['redis'];
  readonly #policy: BucketPolicy<D>;
  readonly #group: string;
  readonly #prices: PriceList<D>;
  readonly #policyArgument: string;
  readonly #tenants: BoundedMemo<string, Tenant<D>>;
  readonly #watch: AnswerWatch;
  readonly #afterTurn: AfterTurn;
  readonly #clock: Clock;
  #settlements = new Map<string, Settlement<D>>();
  #operations: Operation<D>[] = [];
  #sending = false;
  #lingering = false;
  #distrustUntilMs = -Infinity;

  constructor(options: RedisBucketOptions<D>) {
    const { policy, clock = systemClock } = options;
    const keys = inOneSlot(options.keys);
    this.#redis = options.redis;
    this.#policy = policy;
    this.#group = keys.group;
    this.#prices = new PriceList(policy.limits);
    this.#policyArgument = spaced([
      policy.maxBookedPerTenant,
      policy.maxBooked,
      ...this.#prices.bursts,
    ]);
    this.#tenants = new BoundedMemo(MAX_TENANTS, (tenant) => {
      const prices = new PriceList(policy.tenantLimits(tenant));
      return { key: keys.tenant(tenant), prices, bursts: spaced(prices.bursts) };
    });
    this.#afterTurn = options.afterTurn ?? afterTurn;
    this.#clock = clock;
    this.#watch = new AnswerWatch({ timeoutMs: options.commandTimeoutMs ?? 100, clock });
    this.#watchConnection();
  }

  async ask(demand: Demand<D>, maxWaitMs: number): Promise<BucketAnswer<D>> {
    const maxWaitMicros = Math.floor(Math.min(maxWaitMs, MAX_WAIT_MS) * 1_000);
    const reply = await this.#put('reserve', demand, maxWaitMicros);
    const { code, atMicros, nowMicros } = reply;
    const kind = KINDS[code];
    if (!kind) throw new RangeError(`the bucket script answered with code ${code}`);
    const waitMs = (atMicros - nowMicros) / 1_000;
    if (kind !== 'granted') return { kind, waitMs };
    const untilFullMs = this.#millisecondsOf(reply.untilFullMicros);
    return { kind, waitMs, grantedAtMicros: atMicros, untilFullMs, bucket: this };
  }

  #millisecondsOf(micros: readonly number[]): Amounts<D> {
    const named: Partial<Record<D, number>> = {};
    this.#prices.dimensions.forEach((name, d) => (named[name] = (micros[d] ?? 0) / 1_000));
    return named;
  }

  /** Resolves when it has been carried out; what is settled meanwhile for the same tenant is one settlement with it. */
  settle({ id, tenant: name, amounts }: Demand<D>, actual: Amounts<D>): Promise<void> {
    const { dimensions } = this.#prices;
    const difference = differenceOf(amounts, actual, dimensions);
    const tenant = this.#tenants.get(name);
    const gathered = this.#settlements.get(tenant.key);
    if (gathered) {
      const sum = sumOf(gathered.amounts, difference, dimensions);
      this.#settlements.set(tenant.key, { ...gathered, amounts: sum });
      return gathered.done;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const done = promise.then(() => undefined);
    const operation = { op: 'settle', id, tenant, maxWaitMicros: 0, resolve, reject } as const;
    this.#sendLater();
    this.#settlements.set(tenant.key, { amounts: difference, done, operation });
    return done;
  }

  async cancel(demand: Demand<D>): Promise<void> {
    await this.#put('cancel', demand, 0);
  }

  #put(
    op: Operation<D>['op'],
    { id, tenant, amounts }: Demand<D>,
    maxWaitMicros: number,
  ): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const who = this.#tenants.get(tenant);
      this.#operations.push({ op, id, tenant: who, amounts, maxWaitMicros, resolve, reject });
      this.#sendSoon();
    });
  }

  #sendSoon(): void {
    if (this.#sending) return;
    this.#sending = true;
    this.#afterTurn(this.#send);
  }

  #sendLater(): void {
    if (this.#lingering) return;
    this.#lingering = true;
    this.#clock.after(SETTLE_LINGER_MS, () => {
      this.#lingering = false;
      if (this.#settlements.size > 0) this.#sendSoon();
    });
  }

  /** Settlements first: what they give back may be what the questions ask for. */
  readonly #send = (): void => {
    this.#sending = false;
    const all: Operation<D>[] = [];
    for (const { operation, amounts } of this.#settlements.values()) {
      all.push({ ...operation, amounts });
    }
    all.push(...this.#operations);
    this.#settlements = new Map();
    this.#operations = [];
    for (let from = 0; from < all.length; from += MAX_OPERATIONS) {
      void this.#carryOut(all.slice(from, from + MAX_OPERATIONS));
    }
  };

  async #carryOut(operations: readonly Operation<D>[]): Promise<void> {
    try {
      const keys = [this.#group];
      const places = new Map<string, number>();
      const args = [this.#start(), this.#policyArgument];
      for (const operation of operations) {
        const { key } = operation.tenant;
        let place = places.get(key);
        if (place === undefined) {
          place = keys.push(key);
          places.set(key, place);
        }
        args.push(operation.id, this.#argument(operation, place));
      }
      const reply = await this.#watch.within(script.run(this.#redis, keys, args));
      const width = 2 + this.#prices.dimensions.length;
      const integers = integersOf(reply, 1 + width * operations.length);
      const [nowMicros = 0] = integers;
      operations.forEach(({ resolve }, n) => {
        const from = 1 + width * n;
        const [code = 0, atMicros = 0] = [integers[from], integers[from + 1]];
        resolve({
          code,
          atMicros,
          nowMicros,
          untilFullMicros: integers.slice(from + 2, from + width),
        });
      });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error('the bucket failed', { cause });
      for (const { reject } of operations) reject(error);
    }
  }

  #argument({ op, tenant, maxWaitMicros, amounts }: Operation<D>, place: number): string {
    const groupCosts = spaced(this.#prices.chargeOf(amounts).costs);
    const tenantCosts = spaced(tenant.prices.chargeOf(amounts).costs);
    return `${OPS[op]} ${place} ${maxWaitMicros} ${groupCosts} ${tenantCosts} ${tenant.bursts}`;
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

const spaced = (numbers: readonly number[]): string => numbers.join(' ');
