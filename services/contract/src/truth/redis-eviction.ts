import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** A bucket that is evicted comes back full: the limit it kept is gone. */
export function redisEviction(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { maxMemoryPolicy } = configuration.data.redis;
  if (maxMemoryPolicy === 'noeviction') return [];
  return [
    error(
      'redis-eviction',
      `data.redis.maxMemoryPolicy is ${maxMemoryPolicy}: under memory pressure Redis evicts token buckets, and an ` +
        'evicted bucket is a full one, so limits overshoot exactly when it is busy.',
      'Set data.redis.maxMemoryPolicy to noeviction; caches end by their own expiry.',
    ),
  ];
}
