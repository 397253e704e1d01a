import { randomUUID } from 'node:crypto';
import { limitKeys, type PlatformConfiguration } from '@matsuri/contract';
import {
  DEFAULT_BOOKINGS,
  FailoverBucket,
  LocalBucket,
  RateLimiter,
  RedisBucket,
  type Bucket,
  type BucketPolicy,
  type RedisBucketOptions,
  type ReserveResult,
  type Scope,
} from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import { UNLIMITED, type MinuteLimits } from './core/minute-limits';
import { limitsOfHolder, tokenOfHolder } from './core/limit-holder';
import type { CallAmounts } from './core/token-amounts';
import type { CallTarget } from './ports';

export type Dimension = keyof CallAmounts;

/** Takes amounts from a limit on somebody's behalf: at once, after a wait that fits the scope, or not at all. */
export interface Limiter {
  readonly waiting: number;
  reserve(who: string, amounts: CallAmounts, scope: Scope): Promise<ReserveResult<Dimension>>;
}

/** The limits of targets and of API tokens. */
export interface Limits {
  /** The limit of a target, fair among tenants. */
  forTarget(target: CallTarget, perMinute: MinuteLimits): Limiter;
  /** The limits of all tokens; who asks is a `LimitHolder`. */
  readonly tokens: Limiter;
  /** Whether this process keeps to its share because the shared limits cannot be asked. */
  degraded(): boolean;
}

type LimitRedis = RedisBucketOptions<Dimension>['redis'] & {
  /** When the questions of one turn are sent together. @default at its end */
  readonly beforeWrite?: RedisBucketOptions<Dimension>['afterTurn'];
};

export interface LimitsOptions {
  readonly configuration: Pick<PlatformConfiguration, 'gateway' | 'scaling'>;
  /** @default none: this process keeps to its share */
  readonly redis?: LimitRedis;
  readonly log: Pick<Logger, 'warn'>;
}

// Tokens are their own tenants of one group that limits nothing by itself.
const API_TOKENS = { profile: 'api-tokens', region: 'all' };

/** Limits over a shared Redis, with this process's share as the fallback. */
export function createLimits({ configuration, redis, log }: LimitsOptions): Limits {
  const { gateway, scaling } = configuration;
  const buckets: Bucket<Dimension>[] = [];
  const newId = reservationIds();

  const limiter = (
    policy: BucketPolicy<Dimension>,
    keys: RedisBucketOptions<Dimension>['keys'],
  ): Limiter => {
    const local = new LocalBucket({ policy, sharers: scaling.maxTasks });
    const bucket = redis ? failover(redis, policy, keys, local, log) : local;
    buckets.push(bucket);
    return new RateLimiter({ bucket, policy, maxWaiting: gateway.inFlightPerTask, newId });
  };

  return {
    forTarget(target, perMinute) {
      const name = { profile: target.provisionedArn ?? target.profile, region: target.region };
      const limits = bucketLimits(perMinute, Math.min(gateway.burstRequests, perMinute.requests));
      // Anyone may use all of it while nobody else wants it; turns are what keeps tenants fair.
      return limiter(
        { limits, tenantLimits: () => limits, ...DEFAULT_BOOKINGS },
        { group: limitKeys.target(name), tenant: (who) => limitKeys.tenant(name, who) },
      );
    },
    tokens: limiter(
      {
        limits: bucketLimits({ requests: UNLIMITED, tokens: UNLIMITED }, UNLIMITED),
        tenantLimits: (who) => {
          const perMinute = limitsOfHolder(who);
          return bucketLimits(perMinute, perMinute.requests);
        },
        ...DEFAULT_BOOKINGS,
      },
      {
        group: limitKeys.target(API_TOKENS),
        tenant: (who) => limitKeys.tenant(API_TOKENS, tokenOfHolder(who)),
      },
    ),
    degraded: () => buckets.some(({ source }) => source === 'local'),
  };
}

/** Unique over all processes, for the price of counting. */
function reservationIds(): () => string {
  const process = randomUUID();
  let count = 0;
  return () => `${process}.${(count++).toString(36)}`;
}

function bucketLimits({ requests, tokens }: MinuteLimits, burst: number) {
  return {
    requests: { perMinute: requests, burst },
    // As large as the model's own bucket: what one minute holds may be asked for at once.
    tokens: { perMinute: tokens, burst: tokens },
  };
}

function failover(
  redis: LimitRedis,
  policy: BucketPolicy<Dimension>,
  keys: RedisBucketOptions<Dimension>['keys'],
  local: LocalBucket<Dimension>,
  log: Pick<Logger, 'warn'>,
): Bucket<Dimension> {
  return new FailoverBucket({
    shared: new RedisBucket({
      redis,
      policy,
      keys,
      ...(redis.beforeWrite && { afterTurn: redis.beforeWrite }),
    }),
    local,
    onTransition: ({ from, to, reason }) =>
      log.warn('shared limit', { limit: keys.group, from, to, reason }),
  });
}
