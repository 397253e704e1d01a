import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PlatformConfiguration } from '@matsuri/contract';
import {
  deadlineIn,
  NO_DEADLINE,
  systemClock,
  UNBOUNDED,
  withDeadline,
  type Scope,
} from '@matsuri/resilience';
import type { SessionRef, SessionStore, Turn } from '../ports';
import { DynamodbSessions } from './adapters/dynamodb-sessions';
import { RedisHistory, type HistoryRedis, type MissingTurns } from './adapters/redis-history';
import type { Downstreams } from './downstreams';
import { TurnsBeingKept } from './turns-being-kept';

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
  const { historyTurns, branchCapMs } = configuration.answering;
  const sessions = new DynamodbSessions({
    client: dynamodb,
    table,
    retentionSeconds: configuration.sessions.retentionDays * DAY_SECONDS,
    nowMs,
  });
  const recent = redis && new RedisHistory(redis);
  const beingKept = new TurnsBeingKept();

  const read = (from: RedisHistory, session: SessionRef, scope: Scope) =>
    downstreams.redis.run(scope, () => from.read(session)).catch(() => undefined);
  // Nobody waits for it, and what is not kept is read again.
  const fill = (missing: MissingTurns, turns: readonly Turn[]): void => {
    downstreams.redis.run(UNBOUNDED, () => missing.fill(turns)).catch(() => undefined);
  };
  const forget = async (session: SessionRef): Promise<void> => {
    if (!recent) return;
    await downstreams.redis.run(UNBOUNDED, () => recent.forget(session)).catch(() => undefined);
  };

  return {
    async create(session) {
      const [found] = await Promise.all([
        recent && read(recent, session, UNBOUNDED),
        downstreams.dynamodb.run(UNBOUNDED, (signal) => sessions.create(session, signal)),
      ]);
      // That nothing was said yet is known at once, for the first question's look into the cache.
      if (found?.kind === 'missing') fill(found, []);
    },
    exists: (session, signal) =>
      downstreams.dynamodb.run(within(signal), (inner) => sessions.exists(session, inner)),

    async lastTurns(session, limit, signal) {
      const deadlineAtMs = deadlineIn(branchCapMs, systemClock.nowMs());
      const scope: Scope = { deadlineAtMs, signal };
      const underWay = beingKept.of(session);
      if (underWay) await withDeadline(scope, branchCapMs, () => underWay);
      const load = (count: number) =>
        downstreams.dynamodb.run(scope, (inner) => sessions.lastTurns(session, count, inner));
      if (!recent || limit > historyTurns) return load(limit);
      const found = await read(recent, session, scope);
      if (found?.kind === 'turns') return found.turns.slice(-limit);
      const turns = await load(historyTurns);
      if (found) fill(found, turns);
      return turns.slice(-limit);
    },

    append: (session, turn) =>
      beingKept.during(session, async () => {
        // From now on what Redis holds lacks a turn, whether the table is slow to take it or never does.
        await forget(session);
        try {
          await downstreams.dynamodb.run(UNBOUNDED, sessions.keeping(session, turn));
        } finally {
          // What was read in between may lack it too.
          await forget(session);
        }
      }),
  };
}

function within(signal: AbortSignal): Scope {
  return { deadlineAtMs: NO_DEADLINE, signal };
}
