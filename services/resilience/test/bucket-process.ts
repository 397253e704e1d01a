/**
 * One process of several that saturate a shared bucket. Its wall clock is wrong on purpose. Prints a line per grant:
 * tenant, source, and the grant's instant in microseconds since 1970 by a clock that is right.
 */
import { Redis } from 'ioredis';
import {
  DEFAULT_BOOKINGS,
  FailoverBucket,
  LIMIT_REDIS_OPTIONS,
  LocalBucket,
  RateLimiter,
  RedisBucket,
  type BucketPolicy,
} from '../src';
import { BURST, PER_MINUTE, PROCESSES, TENANTS } from './bucket-fleet';

const [, , url = '', skew = ''] = process.argv;

const trueNow = Date.now.bind(Date);
Date.now = () =>
  trueNow() + (skew === 'swinging' ? 30_000 * Math.sin(trueNow() / 100) : Number(skew));

const policy: BucketPolicy<'requests'> = {
  limits: { requests: { perMinute: PER_MINUTE, burst: BURST } },
  tenantLimits: () => ({ requests: { perMinute: PER_MINUTE, burst: BURST } }),
  ...DEFAULT_BOOKINGS,
};
const redis = new Redis(url, LIMIT_REDIS_OPTIONS);
// Without a listener ioredis prints every failed reconnection.
redis.on('error', () => undefined);

const local = new LocalBucket({ policy, sharers: PROCESSES });
const shared = new RedisBucket({
  redis,
  policy,
  keys: { group: 'test:{fleet}', tenant: (tenant) => `test:{fleet}:${tenant}` },
});
let ids = 0;
const limiter = new RateLimiter({
  bucket: new FailoverBucket({ shared, local }),
  policy,
  maxWaiting: 1_000,
  newId: () => `${process.pid}-${ids++}`,
});

let stopping = false;
async function keepAsking(tenant: string): Promise<void> {
  while (!stopping) {
    const result = await limiter.reserve(tenant, { requests: 1 });
    if (result.kind !== 'granted') continue;
    const { source, grantedAtMicros } = result.reservation;
    const originMicros = source === 'local' ? performance.timeOrigin * 1_000 : 0;
    const atMicros = Math.round(originMicros + grantedAtMicros);
    process.stdout.write(`${tenant} ${source} ${atMicros}\n`);
  }
}

process.stdin.on('end', () => {
  stopping = true;
});
process.stdin.resume();

redis.once('ready', () => {
  const callers = TENANTS.flatMap((tenant) => [1, 2, 3].map(() => keepAsking(tenant)));
  void Promise.all(callers).then(() => redis.disconnect());
});
