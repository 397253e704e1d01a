import { describeContradictions } from '../../test/contradiction-of';

describeContradictions('slots, connections and breakers', [
  {
    id: 'slots-over-in-flight',
    when: 'nobody could wait',
    overrides: { gateway: { inFlightPerTask: 50 } },
    says: /slotsPerTask \(50\) is not below gateway\.inFlightPerTask \(50\)/,
    fix: /Raise gateway\.inFlightPerTask above 50/,
  },
  {
    id: 'slots-over-sockets',
    when: 'slots leave no socket to embeddings',
    overrides: { pools: { perTask: { bedrock: { maxConnections: 50 } } } },
    says: /runs 50 calls at once but has 50 sockets/,
    fix: /bedrock\.maxConnections above 50/,
  },
  {
    id: 'max-tokens-over-model',
    when: 'the default output is longer than a model writes',
    overrides: { gateway: { defaultMaxTokens: 100_000 } },
    says: /defaultMaxTokens is 100,000, but '.*' writes at most 64,000/,
    fix: /Lower gateway\.defaultMaxTokens to 64,000/,
  },
  {
    id: 'burst-over-quota',
    when: 'one burst is more than a minute allows',
    overrides: { gateway: { burstRequests: 600 } },
    says: /burstRequests is 600, but .* allows 500 requests in a whole minute/,
    fix: /Lower gateway\.burstRequests to at most 500/,
  },
  {
    id: 'redis-connections',
    when: 'the tasks of a rolling update open more connections than Redis takes',
    overrides: { data: { redis: { maxConnections: 2_000 } } },
    says: /open 2,080 connections, the server accepts 2,000 \(orchestrator: 200; api\.redisConnectionsPerTask: /,
    fix: /Lower .*\.redisConnectionsPer.* or its maximum task count, or raise data\.redis\.maxConnections to 2,080/,
  },
  {
    id: 'redis-eviction',
    when: 'buckets may be evicted',
    overrides: { data: { redis: { maxMemoryPolicy: 'volatile-lru' } } },
    says: /maxMemoryPolicy is volatile-lru: .* an evicted bucket is a full one/,
    fix: /noeviction/,
  },
  {
    id: 'postgres-connections',
    when: 'the tasks of a rolling update open more connections than PostgreSQL takes',
    overrides: { data: { postgres: { maxConnections: 823 } } },
    says: /open 1,520 connections, the server accepts 773 \(orchestrator\.databaseConnectionsPerTask: 800; api\.databasePool: 600;/,
    fix: /Lower orchestrator\.databaseConnectionsPerTask .* or raise data\.postgres\.maxConnections less reserved to 1,520/,
  },
  {
    id: 'breaker-never-closes',
    when: 'more successes are asked for than permits are given',
    overrides: { breaker: { successesToClose: 5 } },
    says: /gives 3 permits but asks for 5 successes: it never closes/,
    fix: /successesToClose to at most 3/,
  },
  {
    id: 'breaker-wait-over-maximum',
    when: 'the first wait is longer than the longest',
    overrides: { breaker: { openSeconds: 300 } },
    says: /openSeconds \(300\) is above breaker\.maxOpenSeconds \(120\)/,
    fix: /maxOpenSeconds to at least 300/,
  },
  {
    id: 'breaker-window-uneven',
    when: 'the window does not divide into its buckets',
    overrides: { breaker: { windowBuckets: 7 } },
    says: /10 s does not divide into 7 buckets/,
    fix: /divides the window/,
  },
]);
