import { METRICS, type PlatformConfiguration } from '@matsuri/contract';
import type { ApiToken, PepperRing } from '@matsuri/database';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';
import type { Caller, Gateway } from '../../gateway/gateway';
import type { BodyMemory } from '../../gateway/http/read-body';
import type { Route } from '../../gateway/http/route';
import type { SignIn } from '../../gateway/http/sign-in';
import type { Answerer, SessionStore } from '../ports';
import { Answers } from './answers';
import { Connections, type MoveReason } from './connections';
import type { Entry } from './core/admission';
import { Door, SHED_REASONS } from './door';
import { createRedisFrameLog } from './redis-frame-log';
import { sessionRoutes } from './routes';
import type { SessionWorld } from './session-world';
import { createTickets } from './tickets';
import { createTokenWatch, type TokenWatchOptions } from './token-watch';
import { createWebSockets, type OnUpgrade } from './web-sockets';

export interface SessionsOptions {
  readonly configuration: PlatformConfiguration;
  /** Names this task among others. */
  readonly taskId: string;
  readonly answerer: Answerer;
  /** Knows how its slots are taken, and counts who is turned away. */
  readonly gateway: Pick<Gateway, 'figures' | 'turnedAway'>;
  readonly store: SessionStore;
  /** Absent: an answer can be continued on the task that makes it, and nowhere else. */
  readonly redis?: Redis;
  readonly peppers: PepperRing;
  readonly tokens: TokenWatchOptions;
  readonly signIn: SignIn;
  readonly callerOf: (token: ApiToken) => Caller;
  readonly allowedOrigins: readonly string[];
  readonly bodyMemory: BodyMemory;
  /** Called for each message that is taken in over a WebSocket; any other is a request of its own. */
  readonly onMessage: () => void;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Chat sessions while the program runs. */
export interface Sessions {
  readonly routes: readonly Route[];
  readonly onUpgrade: OnUpgrade;
  /** Whether there is time for a call that is no message. */
  readonly enterCall: () => Entry;
  /** Asks every client to go on elsewhere; resolves when all have gone and every answer has ended. */
  drain(reason: MoveReason, signal: AbortSignal): Promise<void>;
  /** Ends what is left: every answer with a word of its own, then every connection. */
  abandon(signal: AbortSignal): Promise<void>;
  left(): readonly string[];
  close(): Promise<void>;
}

/** Puts the parts of sessions together. */
export function createSessions(options: SessionsOptions): Sessions {
  const { configuration, taskId, answerer, redis, metrics, log } = options;
  const { sessions: settings } = configuration;
  const door = new Door({
    slots: configuration.gateway.slotsPerTask,
    maxInHand: configuration.gateway.inFlightPerTask,
    maxQueueMs: settings.maxQueueMs,
    gateway: options.gateway,
    shedAtLoopDelayMs: settings.shedAtLoopDelayMs,
    maxConnections: settings.maxConnectionsPerTask,
    onShed: (reason) => metrics.record(METRICS.shedRequests, 1, { Reason: reason }),
  });
  const retentionMs = settings.frameRetentionSeconds * 1_000;
  const frameLog = redis && createRedisFrameLog({ redis, taskId, retentionMs });
  if (!frameLog) log.warn('there is no Redis: answers can be continued on their own task only');
  const answers = new Answers({
    answerer,
    ...(frameLog && { frameLog }),
    door,
    settings,
    log,
    onBegun: options.onMessage,
  });
  const connections = new Connections(settings);
  const tokens = createTokenWatch(options.tokens);
  tokens.onChange((tokenId) => connections.recheck(tokenId));
  const world: SessionWorld = {
    ...options,
    settings,
    answers,
    door,
    connections,
    tokens,
    tickets: createTickets({
      ring: options.peppers,
      lifetimeMs: settings.ticketSeconds * 1_000,
      ...(redis && { redis }),
      nowMs: Date.now,
    }),
    allowedOrigins: new Set(options.allowedOrigins),
  };
  metrics.gauge(METRICS.concurrentSessions, () => connections.sessions);
  metrics.gauge(METRICS.activeWebSocketConnections, () => connections.size);
  for (const Reason of SHED_REASONS) metrics.declare(METRICS.shedRequests, { Reason });

  return {
    routes: sessionRoutes(world),
    onUpgrade: createWebSockets(world),
    enterCall: () => door.enterCall(),
    async drain(reason, signal) {
      await connections.moveAll(reason, signal);
      await answers.idle();
      await answerer.idle();
    },
    async abandon(signal) {
      const ended = answers.abandon();
      answerer.abandon();
      await Promise.all([ended, connections.endAll(signal)]);
      await answerer.idle();
    },
    left: () => answers.left(),
    async close() {
      connections.close();
      door.close();
      await answers.close();
    },
  };
}
