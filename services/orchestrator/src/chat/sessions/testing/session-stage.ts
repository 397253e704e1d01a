import { randomUUID } from 'node:crypto';
import { configure, type PlatformOverrides } from '@matsuri/contract';
import { createPepperRing, type ApiToken } from '@matsuri/database';
import { createLogger, createMetrics, createTracer } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';
import { chatModels } from '../../../gateway/core/openai/chat-models';
import { createApp } from '../../../gateway/http/app';
import { callerOf } from '../../../gateway/http/caller';
import { createCors } from '../../../gateway/http/cors';
import { BodyMemory } from '../../../gateway/http/read-body';
import { serveApp } from '../../../gateway/http/server';
import { createSignIn } from '../../../gateway/http/sign-in';
import { setGatewayStage } from '../../../gateway/testing/gateway-stage';
import type { Answerer, SessionStore } from '../../ports';
import { createSessions } from '../create-sessions';
import { SessionClient } from './session-client';

export interface StageOptions {
  readonly answerer: Answerer;
  readonly store: SessionStore;
  readonly redis?: Redis;
  readonly overrides?: PlatformOverrides;
  readonly tokens: TokenShelf;
  readonly onMessage?: () => void;
}

export const ORIGIN = 'https://shop.example';
const RING = createPepperRing([{ version: 1, secret: Buffer.alloc(32, 7) }]);

/** The API tokens of a test: bearer `key-<n>` of tenant `tenant-<n>`. */
export class TokenShelf {
  readonly #tokens = new Map<string, ApiToken>();
  readonly #hearers = new Set<(tokenId: string) => void>();

  constructor(count = 2) {
    for (let n = 1; n <= count; n += 1) this.#tokens.set(`token-${n}`, aToken(n));
  }

  revoke(n: number): void {
    this.#tokens.set(`token-${n}`, { ...aToken(n), revokedAt: new Date() });
    for (const hear of this.#hearers) hear(`token-${n}`);
  }

  readonly directory = {
    authenticate: (plaintext: string) => {
      const token = this.#tokens.get(plaintext.replace('key-', 'token-'));
      return Promise.resolve(
        token?.revokedAt === null
          ? ({ ok: true, token } as const)
          : ({ ok: false, reason: 'unknown' } as const),
      );
    },
  };

  readonly watch = {
    repository: {
      get: (tenantId: string, id: string) => {
        const token = this.#tokens.get(id);
        return Promise.resolve(token?.tenantId === tenantId ? token : undefined);
      },
    },
    changes: {
      listeningSinceMs: () => 0,
      onChange: (hear: (tokenId: string) => void) => void this.#hearers.add(hear),
    },
  };
}

function aToken(n: number): ApiToken {
  return {
    id: `token-${n}`,
    tenantId: `tenant-${n}`,
    userId: `backend-${n}`,
    name: 'test',
    lastFour: '0000',
    spendAccountId: `token-${n}`,
    allowedModels: null,
    rpm: null,
    tpm: null,
    dayCapMicroUsd: null,
    monthCapMicroUsd: null,
    createdAt: new Date(0),
    expiresAt: null,
    revokedAt: null,
    overlapUntil: null,
    predecessorId: null,
  };
}

/** Nobody asks for them here. */
const NO_COMPLETIONS = {
  tasks: { begin: () => Promise.resolve(), find: () => Promise.resolve(undefined) },
  runner: { start: () => undefined },
};

/** Sessions served on a port, as the program serves them, over an answerer of the test's choice. */
export async function startSessionStage(options: StageOptions) {
  const { answerer, store, redis, tokens, overrides = {}, onMessage = () => undefined } = options;
  const configuration = configure(overrides);
  const log = createLogger({ service: 'test', level: 'error' });
  const metrics = createMetrics({
    namespace: 'test',
    service: 'test',
    log,
    write: () => undefined,
  });
  const signIn = createSignIn({
    directory: tokens.directory,
    nowMs: () => performance.now(),
    onValidated: () => undefined,
  });
  const bodyMemory = new BodyMemory(1_000_000);
  const residenciesOf = () => null;
  const { gateway } = setGatewayStage();
  const sessions = createSessions({
    configuration,
    gateway,
    taskId: randomUUID(),
    answerer,
    store,
    ...(redis && { redis }),
    peppers: RING,
    tokens: tokens.watch,
    signIn,
    callerOf: (token) => callerOf(token, { residenciesOf }),
    allowedOrigins: [ORIGIN],
    bodyMemory,
    metrics,
    log,
    onMessage,
  });
  const app = createApp({
    configuration,
    gateway,
    signIn,
    completions: NO_COMPLETIONS,
    cors: createCors([ORIGIN]),
    models: chatModels(configuration.models),
    residenciesOf,
    routes: sessions.routes,
    bodyMemory,
    observer: { responded: () => undefined, clientLeft: () => undefined },
    log,
    tracer: createTracer(),
    draining: () => false,
    enterCall: sessions.enterCall,
    onCall: () => undefined,
  });
  const server = await serveApp(app, {
    port: 0,
    timeouts: configuration.timeouts,
    onUpgrade: sessions.onUpgrade,
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    sessions,
    gateway,
    /** Ends without a word to anybody, as a killed task does. */
    async close(): Promise<void> {
      await sessions.close();
      server.destroy();
      await server.finish();
      metrics.close();
    },
    client: (n = 1, userId = 'user-1') => new SessionClient(url, `key-${n}`, userId),
  };
}

export type SessionStage = Awaited<ReturnType<typeof startSessionStage>>;
