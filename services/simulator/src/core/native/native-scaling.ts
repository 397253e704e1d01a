import type { Fleet } from '../platform/fleet';
import type { History } from '../platform/history';
import type { TaskPolicy } from '../platform/simulate';
import type { Read } from './alarm';
import type { NativePolicy } from './proposal';
import { readSignal, type ScalingSignal, type TaskSize } from './readings';
import { stepScaling, type StepPolicy } from './step-scaling';
import { targetTracking, type TargetTracking } from './target-tracking';

/** Policies that Application Auto Scaling runs by itself. */
export interface NativePolicies {
  readonly targetTracking: readonly TargetTracking[];
  readonly steps: readonly StepPolicy[];
}

/** All periods are multiples of it, and so is the delay of metrics. */
const SHORTEST_PERIOD_SECONDS = 10;

/**
 * Several policies on one service: the largest capacity wins, outward and inward, and target tracking takes
 * tasks away only when every such policy is ready to.
 */
export function nativeScaling(policies: NativePolicies, size: TaskSize): TaskPolicy {
  const tracking = policies.targetTracking.map((it) => ({
    signal: it.signal,
    policy: targetTracking(it),
  }));
  const steps = policies.steps.map((it) => ({ signal: it.signal, policy: stepScaling(it) }));
  const all = [...tracking, ...steps];
  const tell = (now: number, direction: 'out' | 'in') => {
    for (const { policy } of all) policy.moved(now, direction);
  };

  return {
    act: (now, history, fleet) => {
      if (now % SHORTEST_PERIOD_SECONDS !== 0) return;
      const asked = (some: readonly Watching[]) =>
        some.map((it) => it.policy.propose(now, readerOf(it.signal, history, size), fleet));
      const fromTracking = asked(tracking);
      const fromSteps = asked(steps);
      const out = [...fromTracking, ...fromSteps].flatMap((it) => it.out ?? []);
      const agreed = tracking.every(({ policy }) => policy.agreesToScaleIn());
      const back = [...(agreed ? fromTracking : []), ...fromSteps].flatMap((it) => it.in ?? []);
      if (out.length > 0) move(fleet, now, Math.max(...out), tell);
      else if (back.length > 0) move(fleet, now, Math.max(...back), tell);
    },
  };
}

interface Watching {
  readonly signal: ScalingSignal;
  readonly policy: NativePolicy;
}

function readerOf(signal: ScalingSignal, history: History, size: TaskSize): Read {
  return (end, seconds) => readSignal(signal, history, end, seconds, size);
}

function move(
  fleet: Fleet,
  now: number,
  tasks: number,
  tell: (now: number, direction: 'out' | 'in') => void,
): void {
  const before = fleet.desired;
  fleet.order(now, tasks);
  if (fleet.desired !== before) tell(now, fleet.desired > before ? 'out' : 'in');
}
