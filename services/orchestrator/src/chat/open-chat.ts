import { randomUUID } from 'node:crypto';
import type { ApiToken } from '@matsuri/database';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Clients } from '../clients';
import type { Config } from '../config';
import type { Caller, Gateway } from '../gateway/gateway';
import type { Limits } from '../gateway/limits';
import type { BodyMemory } from '../gateway/http/read-body';
import type { SignIn } from '../gateway/http/sign-in';
import { openAnswering } from './answering/open-answering';
import { createSessions, type Sessions } from './sessions/create-sessions';

export interface ChatOptions {
  readonly config: Config;
  readonly clients: Clients;
  readonly gateway: Gateway;
  readonly limits: Pick<Limits, 'tokens'>;
  readonly signIn: SignIn;
  readonly callerOf: (token: ApiToken) => Caller;
  readonly bodyMemory: BodyMemory;
  readonly onMessage: () => void;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** The chat of a task. */
export interface Chat {
  readonly sessions: Sessions;
  /** Begins nothing of its own any more. */
  stop(): void;
  /** Lets go of the downstreams; sessions are closed before. */
  close(): Promise<void>;
}

/** Sessions over answering, over the gateway. */
export function openChat(options: ChatOptions): Chat {
  const { config, clients, gateway, metrics, log } = options;
  const { redis, bedrock, ledger, credentials } = clients;
  const { platform, region, sessionsTable, openSearch, intentEndpoint } = config;
  const taskId = randomUUID();
  const shared = redis && { redis };
  const answering = openAnswering({
    configuration: platform,
    region,
    sessionsTable,
    openSearch,
    intentEndpoint,
    taskId,
    credentials,
    gateway,
    bedrock,
    ledger,
    tokenLimiter: options.limits.tokens,
    ...shared,
    metrics,
    log,
  });
  const sessions = createSessions({
    ...options,
    configuration: platform,
    taskId,
    answerer: answering.answerer,
    store: answering.sessions,
    ...shared,
    peppers: config.peppers,
    tokens: { repository: clients.tokens, changes: clients.tokenChanges },
    allowedOrigins: config.allowedOrigins,
  });
  return { sessions, stop: () => answering.stopWarming(), close: () => answering.close() };
}
