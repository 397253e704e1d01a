import { answerKeys, type SharedQuestion } from '@matsuri/contract';
import { acquireLease, UNBOUNDED, withDeadline, type HeldLease } from '@matsuri/resilience';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  sharedEntrySchema,
  type DistantStream,
  type LedStream,
  type SharedEntry,
  type SharedStreams,
} from '../shared-streams';

type StreamRedis = Pick<Redis, 'eval' | 'evalsha' | 'pipeline' | 'xrange' | 'set' | 'exists'>;

export interface RedisSharedStreamsOptions {
  readonly redis: StreamRedis;
  /** Distinct for every process. */
  readonly taskId: string;
  /** Runs a command, within bounds. */
  readonly run: Run;
}

type Run = <T>(command: () => Promise<T>) => Promise<T>;

/** A leader that has not said for this long that it lives leads no more. */
const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
const READERS_MS = 3_000;
/** Beyond the longest answer; what is over is in the cache of answers by then. */
const KEPT_MS = 120_000;

const stored = z.array(z.tuple([z.string(), z.tuple([z.literal('e'), z.string()])]));
const entriesOf = z.array(sharedEntrySchema);

/** Streams in Redis: a lease says who leads, its epoch names the stream, so that nobody writes into another's. */
export function createRedisSharedStreams(options: RedisSharedStreamsOptions): SharedStreams {
  const { redis, run, taskId: owner } = options;
  const lease = (question: SharedQuestion) =>
    run(() =>
      acquireLease({ redis, key: answerKeys.sharedLeader(question), owner, ttlMs: LEASE_MS }),
    );

  return {
    async claim(question) {
      const result = await lease(question);
      if (result.kind === 'acquired') {
        return {
          kind: 'leading',
          stream: new RedisLedStream({ redis, run }, question, result.lease),
        };
      }
      const { epoch } = result;
      const isLed = async (): Promise<boolean> => {
        const now = await lease(question);
        if (now.kind === 'taken') return now.epoch === epoch;
        await run(() => now.lease.release());
        return false;
      };
      const stream = distantStream({ redis, run }, { question, epoch, isLed });
      await stream.attend();
      return { kind: 'following', stream };
    },
  };
}

type Commands = Pick<RedisSharedStreamsOptions, 'redis' | 'run'>;

function distantStream(
  { redis, run }: Commands,
  {
    question,
    epoch,
    isLed,
  }: Pick<DistantStream, 'isLed'> & { readonly question: SharedQuestion; readonly epoch: number },
): DistantStream {
  let last = '0-0';
  return {
    async read() {
      const key = answerKeys.sharedFrames(question, epoch);
      const found = await run(() => redis.xrange(key, `(${last}`, '+'));
      const bundles = stored.parse(found);
      last = bundles.at(-1)?.[0] ?? last;
      return bundles.flatMap(([, [, text]]) => entriesOf.parse(JSON.parse(text)));
    },
    async attend() {
      const key = answerKeys.sharedReaders(question, epoch);
      await run(() => redis.set(key, '1', 'PX', READERS_MS));
    },
    isLed,
  };
}

/** Entries go in bundles: what gathers while one is under way makes the next. */
class RedisLedStream implements LedStream {
  readonly #redis: StreamRedis;
  readonly #run: Run;
  readonly #question: SharedQuestion;
  readonly #lease: HeldLease;
  readonly #timer: NodeJS.Timeout;
  #waiting: SharedEntry[] = [];
  #writing: Promise<void> | undefined;
  #isLost = false;

  constructor({ redis, run }: Commands, question: SharedQuestion, lease: HeldLease) {
    this.#redis = redis;
    this.#run = run;
    this.#question = question;
    this.#lease = lease;
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_MS).unref();
  }

  publish(entry: SharedEntry): void {
    this.#waiting.push(entry);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async hasReaders(): Promise<boolean> {
    if (this.#isLost) return false;
    const key = answerKeys.sharedReaders(this.#question, this.#lease.epoch);
    return (await this.#run(() => this.#redis.exists(key))) === 1;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#run(() => this.#lease.release());
  }

  async #write(): Promise<void> {
    const key = answerKeys.sharedFrames(this.#question, this.#lease.epoch);
    while (this.#waiting.length > 0 && !this.#isLost) {
      const bundle = JSON.stringify(this.#waiting.splice(0));
      const pipeline = this.#redis.pipeline().xadd(key, '*', 'e', bundle).pexpire(key, KEPT_MS);
      try {
        // Never twice, unlike other commands: it would be read twice.
        const replies = await withDeadline(UNBOUNDED, LEASE_MS, () => pipeline.exec());
        if (replies?.some(([error]) => error !== null) !== false) this.#lose();
      } catch {
        this.#lose();
      }
    }
  }

  async #renew(): Promise<void> {
    if (!(await this.#run(() => this.#lease.renew()).catch(() => false))) this.#lose();
  }

  /** A stream with a hole in it is none: its readers elsewhere see the lease run out. */
  #lose(): void {
    this.#isLost = true;
    clearInterval(this.#timer);
  }
}
