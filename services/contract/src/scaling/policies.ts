import type { z } from 'zod';
import { SCALING_POLICIES } from '../names/scaling';
import type { scalingProfileSchema } from './profile';

type Profile = z.input<typeof scalingProfileSchema>;
type TargetTracking = Profile['targetTracking'][number];
type StepPolicy = Profile['steps'][number];

/** CPU alone never moves an I/O-bound service; it stays as the guard against runaway loops. */
export const CPU_TARGET: TargetTracking = {
  name: SCALING_POLICIES.cpu,
  signal: 'cpuPercent',
  target: 65,
  scaleOutCooldownSeconds: 60,
  scaleInCooldownSeconds: 300,
};

export const REQUEST_COUNT_TARGET: TargetTracking = {
  name: SCALING_POLICIES.requestCount,
  signal: 'requestsPerTargetPerMinute',
  target: 500,
  scaleOutCooldownSeconds: 60,
  scaleInCooldownSeconds: 300,
};

/** Below the 50 slots of a task, so that it can be exceeded. */
export const INVOCATIONS_TARGET: TargetTracking = {
  name: SCALING_POLICIES.invocations,
  signal: 'activeInvocationsPerTask',
  target: 40,
  scaleOutCooldownSeconds: 120,
  scaleInCooldownSeconds: 300,
};

export const WEB_SOCKET_STEPS: StepPolicy = {
  name: SCALING_POLICIES.webSocketConnections,
  signal: 'normalisedWebSocketConnections',
  scaleOut: {
    threshold: 8_000,
    inclusive: true,
    forSeconds: 20,
    periodSeconds: 10,
    cooldownSeconds: 60,
    steps: [
      { from: 8_000, to: 9_000, addTasks: 2 },
      { from: 9_000, to: 10_000, addTasks: 4 },
      { from: 10_000, addTasks: 6 },
    ],
  },
};

export const QUEUE_DEPTH_STEPS: StepPolicy = {
  name: SCALING_POLICIES.queueDepth,
  signal: 'bedrockQueueDepthMaximum',
  scaleOut: {
    threshold: 50,
    inclusive: false,
    forSeconds: 120,
    periodSeconds: 10,
    cooldownSeconds: 60,
    steps: [{ from: 50, addTasks: 2 }],
  },
  scaleIn: {
    threshold: 20,
    inclusive: false,
    forSeconds: 600,
    periodSeconds: 60,
    cooldownSeconds: 300,
    steps: [{ from: 0, to: 20, addTasks: -1 }],
  },
};

export const QUEUE_DEPTH_EMERGENCY: StepPolicy = {
  name: SCALING_POLICIES.queueDepthEmergency,
  signal: 'bedrockQueueDepthMaximum',
  scaleOut: {
    threshold: 200,
    inclusive: false,
    forSeconds: 30,
    periodSeconds: 10,
    cooldownSeconds: 60,
    steps: [{ from: 200, addTasks: 10 }],
  },
};

export const LATENCY_STEPS: StepPolicy = {
  name: SCALING_POLICIES.latency,
  signal: 'requestLatencyP99MaximumMs',
  scaleOut: {
    threshold: 4_000,
    inclusive: false,
    forSeconds: 120,
    periodSeconds: 10,
    cooldownSeconds: 90,
    steps: [{ from: 4_000, addTasks: 3 }],
  },
  scaleIn: {
    threshold: 2_000,
    inclusive: false,
    forSeconds: 900,
    periodSeconds: 60,
    cooldownSeconds: 300,
    steps: [{ from: 0, to: 2_000, addTasks: -1 }],
  },
};
