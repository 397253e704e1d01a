import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionConfig } from '../pool/connection-config';
import type { ConnectionOptions } from '../pool/connection-config';

/** Where token changes are announced; the payload is the token's id. */
export const TOKEN_CHANGES_CHANNEL = 'api_token_changed';

/** Hears of token changes while it listens. */
export interface TokenChanges {
  /** Since when, by the monotonic clock, no change can have been missed; `undefined` while any may be. */
  listeningSinceMs(): number | undefined;
  /** Calls back with the id of each token that changed. */
  onChange(hear: (tokenId: string) => void): void;
  close(): Promise<void>;
}

// A silent connection is found out within 200 + 300 ms: well within the second a revocation may take.
const PING_EVERY_MS = 200;
const PING_TIMEOUT_MS = 300;
const RECONNECT_AFTER_MS = 100;
const LONGEST_RECONNECT_MS = 2_000;

/** Listens on a connection of its own, which counts besides the pool's; reconnects by itself for ever. */
export function listenForTokenChanges(options: ConnectionOptions): TokenChanges {
  const hearers = new Set<(tokenId: string) => void>();
  const stop = new AbortController();
  let listeningSinceMs: number | undefined;

  const session = async (): Promise<void> => {
    const client = new Client({ ...connectionConfig(options), query_timeout: PING_TIMEOUT_MS });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => {
      for (const hear of hearers) hear(payload ?? '');
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${TOKEN_CHANGES_CHANNEL}`);
      listeningSinceMs = performance.now();
      await pingUntil(client, AbortSignal.any([lost.signal, stop.signal]));
    } finally {
      listeningSinceMs = undefined;
      abandon(client);
    }
  };

  const run = async (): Promise<void> => {
    let pauseMs = RECONNECT_AFTER_MS;
    while (!stop.signal.aborted) {
      const startedAtMs = performance.now();
      await session().catch(() => undefined);
      const lasted = performance.now() - startedAtMs > LONGEST_RECONNECT_MS;
      pauseMs = lasted ? RECONNECT_AFTER_MS : Math.min(2 * pauseMs, LONGEST_RECONNECT_MS);
      await pause(pauseMs, stop.signal);
    }
  };
  const ended = run();

  return {
    listeningSinceMs: () => listeningSinceMs,
    onChange: (hear) => void hearers.add(hear),
    async close() {
      stop.abort();
      await ended;
    },
  };
}

/** Returns at the end; throws when the server answers no more. */
async function pingUntil(client: Client, end: AbortSignal): Promise<void> {
  for (;;) {
    await pause(PING_EVERY_MS, end);
    if (end.aborted) return;
    await client.query('SELECT 1');
  }
}

function abandon(client: Client): void {
  // A goodbye to a server that does not answer would wait for ever; nobody waits for this one.
  client.end().catch(() => undefined);
}

async function pause(delayMs: number, end: AbortSignal): Promise<void> {
  await setTimeout(delayMs, undefined, { signal: end }).catch(() => undefined);
}
