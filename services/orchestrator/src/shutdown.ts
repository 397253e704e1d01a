import type { PlatformConfiguration } from '@matsuri/contract';
import { Drain, type Clock } from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import { closeClients, type Clients } from './clients';
import type { Chat } from './chat/open-chat';
import type { Departure } from './departure';
import type { CompletionRunner } from './gateway/completions/completion-runner';
import type { Gateway } from './gateway/gateway';
import type { Listening } from './gateway/http/server';

export interface ShutdownOptions {
  readonly readiness: { ready: boolean };
  readonly server: Listening;
  readonly health: Listening;
  readonly gateway: Pick<Gateway, 'idle' | 'left'>;
  /** Completions whose callers do not wait. */
  readonly completions: Pick<CompletionRunner, 'abandon' | 'idle' | 'left'>;
  readonly chat: Chat;
  readonly departure: Departure;
  readonly clients: Clients;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly settings: PlatformConfiguration['orchestrator']['drain'];
  /** Ends what begins something by itself. */
  readonly stop: () => void;
  /** Lets go of what calls and readings need to the last. */
  readonly close: () => void;
  readonly clock?: Clock;
}

// For answers that did not end by themselves, and what comes after the last one: settling, and closing what is open.
const ABANDON_MS = 3_000;
const SETTLE_MS = 5_000;
const CLOSE_MS = 3_000;
// Less than its stage has: a database that is away must not keep the rest open.
const LEDGER_MS = 2_000;
const LAST_READINGS_MS = 1_000;
const AFTER_ANSWERS_MS = ABANDON_MS + SETTLE_MS + CLOSE_MS + LAST_READINGS_MS;

/**
 * Readiness off; where the balancer does not know yet, time for it to see; no new connections; sessions sent elsewhere,
 * answers finished or cut, settled, closed: in this order.
 */
export function createShutdown(options: ShutdownOptions): Drain {
  const { readiness, server, health, gateway, completions, chat, clients, metrics, log, settings } =
    options;
  const { sessions } = chat;
  const deadlineMs = settings.drainSeconds * 1_000;
  return new Drain({
    deadlineMs,
    ...(options.clock && { clock: options.clock }),
    left: () => [...gateway.left(), ...completions.left(), ...sessions.left()],
    onStage: ({ name, outcome, tookMs }) =>
      log.info('drain', { stage: name, outcome, took_ms: Math.round(tookMs) }),
    onStageError: (err, stage) => log.error('drain', { stage, err }),
    stages: [
      {
        name: 'not ready',
        run: () => {
          readiness.ready = false;
          options.stop();
          return undefined;
        },
      },
      {
        name: 'answers',
        maxMs: Math.max(0, deadlineMs - AFTER_ANSWERS_MS),
        run: async ({ signal }) => {
          await options.departure.unrouted(signal);
          await Promise.all([
            sessions.drain(options.departure.reason(), signal),
            server.finish().then(() => completions.idle()),
          ]);
          await gateway.idle();
        },
      },
      {
        name: 'unfinished answers',
        maxMs: ABANDON_MS,
        run: ({ signal }) => sessions.abandon(signal),
      },
      {
        name: 'settlements',
        maxMs: SETTLE_MS,
        run: async () => {
          server.destroy();
          await sessions.close();
          completions.abandon();
          await completions.idle();
          await gateway.idle();
        },
      },
      {
        name: 'connections',
        maxMs: CLOSE_MS,
        run: async () => {
          await Promise.all([chat.close(), closeClients(clients, LEDGER_MS)]);
        },
      },
      {
        name: 'last readings',
        maxMs: LAST_READINGS_MS,
        run: async () => {
          metrics.close();
          options.close();
          await health.finish();
          health.destroy();
        },
      },
    ],
  });
}
