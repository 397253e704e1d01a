import type { ClientConfig } from 'pg';
import { verifiedConnection } from './verified-connection';

export interface ConnectionOptions {
  readonly url: string;
  /** How this program is called in `pg_stat_activity`. */
  readonly applicationName: string;
  /**
   * Longest wait for a connection, free or new.
   *
   * @default 1000
   */
  readonly acquireTimeoutMs?: number;
  /**
   * Longest run of one statement, waits for locks included.
   *
   * @default 5000
   */
  readonly statementTimeoutMs?: number;
  /**
   * Speak TLS and verify the server, against `ca` (PEM) where given, else against the system's roots.
   *
   * @default what `sslmode` in the URL says
   */
  readonly tls?: { readonly ca?: string };
}

// The server ends a statement by itself; this is for a server that no longer answers at all.
const SILENCE_MARGIN_MS = 500;

/** The driver's settings for one connection. */
export function connectionConfig(options: ConnectionOptions): ClientConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000;
  return {
    ...verifiedConnection(options.url),
    application_name: options.applicationName,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? 1_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + SILENCE_MARGIN_MS,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    ...(options.tls && { ssl: { rejectUnauthorized: true, ...options.tls } }),
  };
}
