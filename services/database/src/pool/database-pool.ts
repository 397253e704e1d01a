import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import type { ClientBase, QueryConfig, QueryResultRow } from 'pg';
import { DatabaseUnavailableError } from '../errors';
import { connectionConfig } from './connection-config';
import type { ConnectionOptions } from './connection-config';
import { isError, translateFailure } from './failure-kind';

export interface PoolOptions extends ConnectionOptions {
  /** Most connections this process holds through the pool. */
  readonly maxConnections: number;
  /**
   * Connections kept open when nothing happens.
   *
   * @default 0
   */
  readonly keptConnections?: number;
  /**
   * Callers that may wait for a connection; one more is refused at once.
   *
   * @default 200
   */
  readonly maxWaiting?: number;
}

/** What a pool looks like at this moment, for metrics. */
export interface PoolFigures {
  readonly active: number;
  readonly idle: number;
  readonly waiting: number;
  /** How often, since the start, a connection could not be had in time. */
  readonly acquireTimeouts: number;
}

/** Runs statements; rows are what the statement's author says they are. */
export type RunStatement = <Row extends QueryResultRow>(
  statement: Omit<QueryConfig, 'types'>,
) => Promise<Row[]>;

/**
 * Connections to one PostgreSQL endpoint. Every failure that may pass is thrown as a
 * `DatabaseUnavailableError`. A connection belongs to one statement or one transaction, never to a stream.
 */
export interface DatabasePool {
  query: RunStatement;
  /** All or nothing; the connection goes back whatever happens. */
  transaction<T>(work: (query: RunStatement) => Promise<T>): Promise<T>;
  /** Typed queries over the tables of `schema`. */
  run<T>(work: (db: NodePgDatabase) => Promise<T>): Promise<T>;
  figures(): PoolFigures;
  close(): Promise<void>;
}

/** Opens a bounded pool; connections are made when they are first needed. */
export function createPool(options: PoolOptions): DatabasePool {
  const pool = new Pool({
    ...connectionConfig(options),
    max: options.maxConnections,
    min: options.keptConnections ?? 0,
    idleTimeoutMillis: 30_000,
  });
  // A connection that dies while idle has been dropped already; the next caller gets a new one.
  pool.on('error', () => undefined);
  const db = drizzle(pool);
  const maxWaiting = options.maxWaiting ?? 200;
  let acquireTimeouts = 0;

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (pool.waitingCount >= maxWaiting) throw new DatabaseUnavailableError('overloaded');
    try {
      return await work();
    } catch (error) {
      if (isAcquireTimeout(error)) acquireTimeouts += 1;
      throw translateFailure(error);
    }
  };

  return {
    query: (statement) => guarded(() => runOn(pool)(statement)),
    transaction: (work) => guarded(() => inTransaction(pool, work)),
    run: (work) => guarded(() => work(db)),
    figures: () => ({
      active: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      acquireTimeouts,
    }),
    close: () => pool.end(),
  };
}

function runOn(connection: Pool | ClientBase): RunStatement {
  return async <Row extends QueryResultRow>(statement: QueryConfig) =>
    (await connection.query<Row>(statement)).rows;
}

async function inTransaction<T>(pool: Pool, work: (query: RunStatement) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // Without a listener the loss of a connection between two statements would end the process.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let failed = false;
  try {
    await client.query('BEGIN');
    const result = await work(runOn(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Closing the connection is the one rollback that cannot fail.
    failed = true;
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(failed);
  }
}

function isAcquireTimeout(error: unknown): boolean {
  return (
    isError(error) &&
    /timeout exceeded when trying to connect|due to connection timeout/.test(error.message)
  );
}
