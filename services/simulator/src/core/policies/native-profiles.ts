import { SCALING_PROFILES, plannedCapacityAt, type ScalingProfileName } from '@matsuri/contract';
import { nativeScaling, type NativePolicies } from '../native/native-scaling';
import { MESSAGES_PER_CONNECTION, type TaskSize } from '../native/readings';
import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';

/** Of what a full task serves; what a careful person would set after looking at the traffic. */
const TUNED_UTILISATION = 0.7;
/** Schedules are written in minutes. */
const FLOOR_SECONDS = 60;

/** Target tracking of the processor alone, as the profiles have it. */
export function cpuTracking(scene: Scene): Policy {
  return nativeScaling(onlyTracking('cpuPercent'), taskSizeOf(scene));
}

/** Target tracking of requests alone, its target tuned to this very traffic. */
export function requestTracking(scene: Scene): Policy {
  const { workload } = scene;
  const size = taskSizeOf(scene);
  const messagesPerMinute = (workload.scoredRequests * 60) / workload.idealTaskSeconds;
  const perMinute = messagesPerMinute / MESSAGES_PER_CONNECTION;
  const target = TUNED_UTILISATION * perMinute * (size.configuredSlotsPerTask / size.slotsPerTask);
  const { steps, targetTracking } = onlyTracking('requestsPerTargetPerMinute');
  return nativeScaling(
    { steps, targetTracking: targetTracking.map((policy) => ({ ...policy, target })) },
    size,
  );
}

/** All native policies of a profile as deployed, with the floors of its schedule and of the calendar. */
export function nativeProfile(profile: ScalingProfileName): (scene: Scene) => Policy {
  return (scene) => {
    const native = nativeScaling(SCALING_PROFILES[profile], taskSizeOf(scene));
    const floorAt = scheduledFloors(profile, scene);
    return {
      act: (now, history, fleet) => {
        if (now % FLOOR_SECONDS === 0) fleet.setFloor(now, floorAt(now));
        native.act(now, history, fleet);
      },
    };
  };
}

/** Scheduled actions of Application Auto Scaling: they move the floor whatever the load. */
function scheduledFloors(profile: ScalingProfileName, scene: Scene): (second: number) => number {
  const { configuration, startsAtMs, calendarKnown } = scene;
  const schedule = calendarKnown ? SCALING_PROFILES[profile].schedule : [];
  const planned = { ...configuration, scaling: { ...configuration.scaling, schedule } };
  return (second) => plannedCapacityAt(planned, startsAtMs + second * 1_000).minTasks;
}

export function taskSizeOf({ workload, configuration }: Scene): TaskSize {
  return {
    slotsPerTask: workload.slotsPerTask,
    configuredSlotsPerTask: configuration.gateway.slotsPerTask,
    meanBusySeconds: (workload.idealTaskSeconds * workload.slotsPerTask) / workload.scoredRequests,
  };
}

function onlyTracking(signal: 'cpuPercent' | 'requestsPerTargetPerMinute'): NativePolicies {
  const { targetTracking } = SCALING_PROFILES.baseline;
  return { steps: [], targetTracking: targetTracking.filter((it) => it.signal === signal) };
}
