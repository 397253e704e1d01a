import { z } from 'zod';
import { countSchema, percentSchema, positiveInteger } from './quantities';

/** A rolling update: how many tasks must stay, how many may run at once. */
export const deploymentSchema = z.strictObject({
  minHealthyPercent: percentSchema,
  maxPercent: z.int().min(100),
});

/** ECS sends SIGTERM, waits this long, then kills. */
export const drainSchema = z.strictObject({
  /** Everything is finished or handed over by then. */
  drainSeconds: positiveInteger,
  stopTimeoutSeconds: positiveInteger,
  deregistrationDelaySeconds: countSchema,
});

const healthCheckSchema = z.strictObject({
  intervalSeconds: positiveInteger,
  healthyCount: positiveInteger,
  unhealthyCount: positiveInteger,
});

/** The chat service on Fargate. */
export const orchestratorSchema = z.strictObject({
  cpuUnits: positiveInteger,
  memoryMb: positiveInteger,
  /** What the service is sized for; never set as desiredCount once scaling owns it. */
  sizedForTasks: positiveInteger,
  /** What a task is meant to hold: scaling and alarms go by it. Nobody is refused for it; see `maxConnectionsPerTask`. */
  sessionsPerTask: positiveInteger,
  deployment: deploymentSchema,
  drain: drainSchema,
  /** A task asks for its own target's state this often, jittered, to see draining begin. */
  targetHealthPollSeconds: positiveInteger,
  healthCheck: healthCheckSchema,
  databaseConnectionsPerTask: positiveInteger,
  /** From breach to a serving task, as provisioned by Fargate. */
  taskStartSeconds: positiveInteger,
});

export const DEFAULT_ORCHESTRATOR: z.input<typeof orchestratorSchema> = {
  cpuUnits: 1_024,
  memoryMb: 2_048,
  sizedForTasks: 5,
  sessionsPerTask: 2_000,
  deployment: { minHealthyPercent: 100, maxPercent: 200 },
  drain: { drainSeconds: 110, stopTimeoutSeconds: 120, deregistrationDelaySeconds: 120 },
  targetHealthPollSeconds: 5,
  healthCheck: { intervalSeconds: 10, healthyCount: 2, unhealthyCount: 3 },
  databaseConnectionsPerTask: 4,
  taskStartSeconds: 50,
};

/** Chat sessions. */
export const sessionsSchema = z.strictObject({
  ticketSeconds: positiveInteger,
  /** How long a reconnecting client may continue an answer. */
  frameRetentionSeconds: positiveInteger,
  /** Generation goes on this long for a client that lost its connection. */
  detachedSeconds: positiveInteger,
  maxMessageBytes: positiveInteger,
  maxMessageFragments: positiveInteger,
  /** A client that leaves this much unread is cut off; it may come back and continue. */
  maxBufferedBytes: positiveInteger,
  /** After this long, jittered, a connection is asked to move, so that load spreads to new tasks. */
  maxConnectionSeconds: positiveInteger,
  /**
   * WebSockets beyond this are refused: a task that dies of too many takes them all along. Well above what a task is
   * meant to hold, for the minutes until others have started, and within its memory: an idle session takes 27 KB, so
   * that 12,000 take a sixth of 2 GB and leave the rest for answers.
   */
  maxConnectionsPerTask: positiveInteger,
  /** A message that would wait longer than this for its turn is refused at once. */
  maxQueueMs: positiveInteger,
  /** New messages are refused while the event loop is late by more than this on average. */
  shedAtLoopDelayMs: positiveInteger,
  /** Turns are kept this long. */
  retentionDays: positiveInteger,
  pingSeconds: positiveInteger,
  reconnectJitterMs: positiveInteger,
});

export const DEFAULT_SESSIONS: z.input<typeof sessionsSchema> = {
  ticketSeconds: 60,
  frameRetentionSeconds: 300,
  detachedSeconds: 15,
  maxMessageBytes: 65_536,
  maxMessageFragments: 64,
  maxBufferedBytes: 1_048_576,
  maxConnectionSeconds: 3_600,
  maxConnectionsPerTask: 12_000,
  maxQueueMs: 1_000,
  shedAtLoopDelayMs: 100,
  retentionDays: 30,
  pingSeconds: 15,
  reconnectJitterMs: 5_000,
};
