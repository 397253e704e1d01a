import { FRESH_STATE, decide, type DecisionRules, type Snapshot } from '@matsuri/autoscaler/core';
import { SCALING_PROFILES } from '@matsuri/contract';
import { nativeScaling } from '../native/native-scaling';
import { readSignal, type TaskSize } from '../native/readings';
import type { FleetView } from '../platform/fleet';
import type { History } from '../platform/history';
import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';
import { taskSizeOf } from './native-profiles';

/** How the model's requests are told apart for a scaler that judges models one by one. */
const COMPLEX_SHARE = 0.4;

/** The shipped decision loop, moving the floor above the native policies it is deployed with. */
export function ours(scene: Scene, rules?: DecisionRules): Policy {
  const { configuration, startsAtMs } = scene;
  const { intervalSeconds } = configuration.autoscaler;
  const size = taskSizeOf(scene);
  const native = nativeScaling(SCALING_PROFILES.genai, size);
  let state = FRESH_STATE;
  return {
    act: (now, history, fleet) => {
      native.act(now, history, fleet);
      if (now % intervalSeconds !== 0) return;
      const nowMs = startsAtMs + now * 1_000;
      const snapshot = snapshotOf(scene, { history, fleet, size, now, nowMs });
      const decision = decide(state, snapshot, configuration, nowMs, rules);
      state = decision.state;
      const { floor, nudgeDesiredTo } = decision.plan.tasks;
      fleet.setFloor(now, floor);
      if (nudgeDesiredTo !== undefined) fleet.order(now, nudgeDesiredTo);
    },
  };
}

interface Moment {
  readonly history: History;
  readonly fleet: FleetView;
  readonly size: TaskSize;
  readonly now: number;
  readonly nowMs: number;
}

/**
 * The last period as the service would report it, in tasks as configured. A task whose slots are all taken
 * streams what the configuration says a task can.
 */
function snapshotOf({ configuration }: Scene, moment: Moment): Snapshot {
  const { history, fleet, size, now, nowMs } = moment;
  const { intervalSeconds, tokensPerSecondPerTask } = configuration.autoscaler;
  const reading = (value: number) => ({ value, atMs: nowMs });
  const scale = size.configuredSlotsPerTask / size.slotsPerTask;
  const inFlight = history.mean('inFlight', now, intervalSeconds);
  const tokens = (inFlight / size.slotsPerTask) * tokensPerSecondPerTask;
  const signal = (name: 'bedrockQueueDepthMaximum' | 'requestLatencyP99MaximumMs') =>
    reading(readSignal(name, history, now, intervalSeconds, size) ?? 0);
  const model = (share: number) => ({
    tokensPerSecond: reading(tokens * share),
    throttles: reading(0),
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
    models: { complex: model(COMPLEX_SHARE), simple: model(1 - COMPLEX_SHARE) },
    throughputs: [],
    freeze: { scaleOut: false, scaleIn: false },
  };
}
