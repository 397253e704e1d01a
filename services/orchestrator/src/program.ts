import { randomUUID } from 'node:crypto';
import { residenciesOf, SERVICES } from '@matsuri/contract';
import { systemClock, type Drain } from '@matsuri/resilience';
import { createLogger, createMetrics, createTracer, type Logger } from '@matsuri/telemetry';
import { openChat } from './chat/open-chat';
import type { MoveReason } from './chat/sessions/connections';
import { awaitRedis, maxPendingMs, openClients, type Clients } from './clients';
import type { Config } from './config';
import { createCapacityReader } from './gateway/capacity-reader';
import { createCompletionRunner } from './gateway/completions/completion-runner';
import { sweepTasksRegularly } from './gateway/completions/task-sweep';
import { chatModels } from './gateway/core/openai/chat-models';
import { recycleAfter } from './gateway/core/recycling';
import { createGateway } from './gateway/create-gateway';
import { createGatewayMetrics } from './gateway/gateway-metrics';
import { createApp } from './gateway/http/app';
import { callerOf } from './gateway/http/caller';
import { createCors } from './gateway/http/cors';
import { healthListener } from './gateway/http/health';
import { BodyMemory } from './gateway/http/read-body';
import { renderRefusal } from './gateway/http/render-refusal';
import { listen, serveApp } from './gateway/http/server';
import { createSignIn } from './gateway/http/sign-in';
import { createLimits } from './gateway/limits';
import { sweepRegularly } from './gateway/orphan-sweep';
import { planDeparture } from './departure';
import { watchTarget } from './own-target';
import { gaugeProcess } from './process-gauges';
import { takeRecyclingTurn } from './recycling-turn';
import { createShutdown } from './shutdown';

/** The orchestrator while it runs. */
export interface Program {
  readonly port: number;
  readonly healthPort: number;
  readonly log: Logger;
  /** Ends the program in order. */
  readonly drain: Drain;
  /** Resolves when the program should end by itself: others take its place, or its balancer drains it. */
  readonly departureDue: Promise<MoveReason>;
}

// An eighth of a task's memory.
const MAX_BODY_MEMORY_BYTES = 256 * 1_024 * 1_024;

/** Builds the clients, wires the parts, and serves. */
export async function startProgram(config: Config): Promise<Program> {
  const { platform } = config;
  const { timeouts } = platform;
  const tracer = createTracer();
  const log = createLogger({
    service: SERVICES.orchestrator,
    level: config.logLevel,
    trace: tracer.current,
  });
  const namespace = platform.product.metricNamespace;
  const metrics = createMetrics({ namespace, service: SERVICES.orchestrator, log });
  if (config.warnings.length > 0) {
    const ids = config.warnings.map(({ id }) => id);
    log.warn('the configuration has warnings, which cdk synth explains', { ids });
  }

  const clients = openClients(config, log);
  const { redis, ledger, bedrock, directory, tasks } = clients;
  const limits = createLimits({ configuration: platform, log, ...(redis && { redis }) });
  const capacity = createCapacityReader(redis);
  const observer = createGatewayMetrics({ metrics, configuration: platform });
  const gateway = createGateway({
    configuration: platform,
    models: bedrock,
    ledger,
    limits,
    capacity,
    observer,
    log,
  });
  observer.gauge({ ...gateway, limiterDegraded: () => limits.degraded() });
  const gauges = gaugeProcess(metrics, clients.pool);
  const sweep = sweepRegularly({ ledger, settings: platform.ledger, log });

  const runner = createCompletionRunner({
    gateway,
    tasks,
    renderRefusal,
    maxPendingMs: maxPendingMs(platform),
    longCallLogMs: timeouts.longCallLogMs,
    log,
    clock: systemClock,
  });
  const taskSweep = sweepTasksRegularly({ tasks, everySeconds: platform.ledger.sweepSeconds, log });

  const readiness = { ready: false };
  const served = requestCounter(recycleAfter(platform.gateway, Math.random()));
  const signIn = createSignIn({
    directory,
    nowMs: () => performance.now(),
    onValidated(tookMs) {
      observer.validated(tookMs);
      if (tookMs > platform.apiTokens.slowValidationLogMs) {
        log.warn('slow token validation', { duration_ms: Math.round(tookMs) });
      }
    },
  });
  const bodyMemory = new BodyMemory(MAX_BODY_MEMORY_BYTES);
  const residencies = (tenantId: string) => residenciesOf(platform.tenants, tenantId);
  const chat = openChat({
    config,
    clients,
    gateway,
    limits,
    signIn,
    callerOf: (token) => callerOf(token, { residenciesOf: residencies }),
    bodyMemory,
    onMessage: served.count,
    metrics,
    log,
  });
  const app = createApp({
    configuration: platform,
    gateway,
    signIn,
    completions: { tasks, runner },
    cors: createCors(config.allowedOrigins),
    models: chatModels(platform.models),
    residenciesOf: residencies,
    routes: chat.sessions.routes,
    bodyMemory,
    enterCall: chat.sessions.enterCall,
    onCall: served.count,
    observer,
    log,
    tracer,
    draining: () => !readiness.ready,
  });

  const health = await listen(
    healthListener(() => readiness.ready),
    {
      port: config.healthPort,
      timeouts,
    },
  );
  await awaitRedis(redis);
  const server = await serveApp(app, {
    port: config.port,
    timeouts,
    onUpgrade: chat.sessions.onUpgrade,
  });
  const target = await watchTarget(config, server.port, log);
  const departure = planDeparture({
    servedEnough: served.enough,
    takeTurn: recyclingTurns(config, redis, log),
    ...(target && { target }),
    healthCheck: platform.orchestrator.healthCheck,
  });

  const drain = createShutdown({
    readiness,
    server,
    health,
    gateway,
    completions: runner,
    chat,
    departure,
    clients,
    metrics,
    log,
    settings: platform.orchestrator.drain,
    stop: () => {
      chat.stop();
      sweep.stop();
      taskSweep.stop();
    },
    close: () => {
      capacity.close();
      gauges.stop();
    },
  });
  // Last: from here on whoever is served can also be drained.
  readiness.ready = true;
  log.info('serving', { port: server.port, health_port: health.port });
  const { port } = server;
  return { port, healthPort: health.port, log, drain, departureDue: departure.due };
}

/** Without Redis tasks do not know of each other, and go when they have served their time. */
function recyclingTurns({ platform }: Config, redis: Clients['redis'], log: Logger) {
  if (!redis) return () => Promise.resolve(true);
  const { drain, taskStartSeconds } = platform.orchestrator;
  const options = {
    redis,
    taskId: randomUUID(),
    absentMs: (drain.drainSeconds + taskStartSeconds) * 1_000,
    onProblem: (err: unknown) => log.warn('recycling waits for Redis', { err }),
  };
  return (signal: AbortSignal) => takeRecyclingTurn(options, signal);
}

function requestCounter(limit: number) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let served = 0;
  const count = (): void => {
    served += 1;
    if (served === limit) resolve(undefined);
  };
  return { enough: promise, count };
}
