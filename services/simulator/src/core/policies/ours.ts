import { FRESH_STATE, decide, type DecisionRules, type Snapshot } from '@matsuri/autoscaler/core';
import { SCALING_PROFILES } from '@matsuri/contract';
import type { Passage } from '../models/model-door';
import { throttledCalls, throughTokens, type ModelSide } from '../models/model-side';
import { nativeScaling } from '../native/native-scaling';
import { readSignal, type TaskSize } from '../native/readings';
import type { FleetView } from '../platform/fleet';
import type { History } from '../platform/history';
import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';
import { taskSizeOf } from './native-profiles';

/** The shipped decision loop, moving the floor above the native policies it is deployed with. */
export function ours(scene: Scene, rules?: DecisionRules): Policy {
  const { configuration, startsAtMs, metricDelaySeconds } = scene;
  const { intervalSeconds } = configuration.autoscaler;
  const size = taskSizeOf(scene);
  const native = nativeScaling(SCALING_PROFILES.genai, size);
  let state = FRESH_STATE;
  return {
    act: (now, history, fleet, models) => {
      native.act(now, history, fleet);
      if (now % intervalSeconds !== 0) return;
      const nowMs = startsAtMs + now * 1_000;
      const seen = now - metricDelaySeconds;
      const snapshot = snapshotOf(scene, { history, fleet, models, size, now: seen, nowMs });
      const decision = decide(state, snapshot, configuration, nowMs, rules);
      state = decision.state;
      const { floor, nudgeDesiredTo } = decision.plan.tasks;
      fleet.setFloor(now, floor);
      if (nudgeDesiredTo !== undefined) fleet.order(now, nudgeDesiredTo);
      models.apply(decision.plan, nowMs);
    },
  };
}

interface Moment {
  readonly history: History;
  readonly fleet: FleetView;
  readonly models: ModelSide;
  readonly size: TaskSize;
  readonly now: number;
  readonly nowMs: number;
}

/**
 * The last period as the service would report it, in tasks as configured. A task whose slots are all taken
 * streams what the configuration says a task can.
 */
function snapshotOf({ configuration }: Scene, moment: Moment): Snapshot {
  const { history, fleet, models, size, now, nowMs } = moment;
  const { intervalSeconds, tokensPerSecondPerTask } = configuration.autoscaler;
  const reading = (value: number) => ({ value, atMs: nowMs });
  const scale = size.configuredSlotsPerTask / size.slotsPerTask;
  const inFlight = history.mean('inFlight', now, intervalSeconds);
  const tokens = (inFlight / size.slotsPerTask) * tokensPerSecondPerTask;
  const signal = (name: 'bedrockQueueDepthMaximum' | 'requestLatencyP99MaximumMs') =>
    reading(readSignal(name, history, now, intervalSeconds, size) ?? 0);
  const { complex, simple } = models.passages;
  const through = throughTokens(complex) + throughTokens(simple);
  const model = (passage: Passage) => ({
    tokensPerSecond: reading(through === 0 ? 0 : (tokens * throughTokens(passage)) / through),
    throttles: reading(throttledCalls(passage, 1, intervalSeconds)),
  });
  return {
    tasks: { running: fleet.running, desired: fleet.desired, minCapacity: fleet.floor },
    service: {
      inFlight: reading(inFlight * scale),
      waiting: reading(history.maximum('waiting', now, intervalSeconds) * scale),
      arrivalsPerSecond: reading(history.mean('arrivals', now, intervalSeconds) * scale),
      queueDepth: signal('bedrockQueueDepthMaximum'),
      latencyP99Ms: signal('requestLatencyP99MaximumMs'),
    },
    models: { complex: model(complex), simple: model(simple) },
    throughputs: models.listed,
    freeze: { scaleOut: false, scaleIn: false },
  };
}
