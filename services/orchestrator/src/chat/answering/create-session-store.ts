import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PlatformConfiguration } from '@matsuri/contract';
import { NO_DEADLINE, UNBOUNDED, type Scope } from '@matsuri/resilience';
import type { SessionStore } from '../ports';
import { DynamodbSessions } from './adapters/dynamodb-sessions';
import { RedisHistory, type HistoryRedis } from './adapters/redis-history';
import type { Downstreams } from './downstreams';

export interface SessionStoreOptions {
  readonly configuration: Pick<PlatformConfiguration, 'sessions' | 'answering'>;
  readonly downstreams: Pick<Downstreams, 'dynamodb' | 'redis'>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly table: string;
  /** In front of the table. @default nothing is */
  readonly redis?: HistoryRedis;
  /** Milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number;
}

const DAY_SECONDS = 86_400;

/** Sessions in DynamoDB with their last turns in Redis; without Redis they are as right, and a little slower. */
export function createSessionStore(options: SessionStoreOptions): SessionStore {
  const { configuration, downstreams, dynamodb, table, redis, nowMs = Date.now } = options;
  const { historyTurns } = configuration.answering;
  const sessions = new DynamodbSessions({
    client: dynamodb,
    table,
    retentionSeconds: configuration.sessions.retentionDays * DAY_SECONDS,
    nowMs,
  });
  const recent = redis && new RedisHistory(redis);

  return {
    create: (session) =>
      downstreams.dynamodb.run(UNBOUNDED, (signal) => sessions.create(session, signal)),
    exists: (session, signal) =>
      downstreams.dynamodb.run(within(signal), (inner) => sessions.exists(session, inner)),

    async lastTurns(session, limit, signal) {
      const scope = within(signal);
      const load = (count: number) =>
        downstreams.dynamodb.run(scope, (inner) => sessions.lastTurns(session, count, inner));
      if (!recent || limit > historyTurns) return load(limit);
      const found = await downstreams.redis
        .run(scope, () => recent.read(session))
        .catch(() => undefined);
      if (found?.kind === 'turns') return found.turns.slice(-limit);
      const turns = await load(historyTurns);
      // Nobody waits for it, and what is not kept is read again.
      void downstreams.redis.run(UNBOUNDED, async () => found?.fill(turns)).catch(() => undefined);
      return turns.slice(-limit);
    },

    async append(session, turn) {
      await downstreams.dynamodb.run(UNBOUNDED, (signal) => sessions.append(session, turn, signal));
      if (!recent) return;
      await downstreams.redis.run(UNBOUNDED, () => recent.forget(session)).catch(() => undefined);
    },
  };
}

function within(signal: AbortSignal): Scope {
  return { deadlineAtMs: NO_DEADLINE, signal };
}
