import type { PlatformConfiguration } from '@matsuri/contract';
import {
  decide,
  planAt,
  type AutoscalerState,
  type Decision,
  type Plan,
  type Snapshot,
} from '../../core';

/**
 * A decision, with the floor it decays to looked up for the instant of the decay: a schedule that rises between now
 * and then must not be undone by the last word of a dead autoscaler, and one that falls must not be held up.
 */
export function decided(
  before: AutoscalerState,
  snapshot: Snapshot,
  configuration: PlatformConfiguration,
  nowMs: number,
): Decision {
  const { state, plan } = decide(before, snapshot, configuration, nowMs);
  const returnsTo = planAt(configuration, plan.tasks.expiresAtMs).tasks;
  return { state, plan: { ...plan, tasks: { ...plan.tasks, returnsTo } } };
}

const LOADED = ['reactive', 'predicted', 'emergency'];

/** When the load that the floor answers was measured; the decision itself, where a clock or a calendar asks. */
export function breachedAtMs(plan: Plan, snapshot: Snapshot, periodMs: number): number {
  const { floors } = plan.tasks;
  const most = Math.max(...floors.map(({ tasks }) => tasks));
  const byLoad = floors.some(({ kind, tasks }) => tasks === most && LOADED.includes(kind));
  const measuredAtMs = snapshot.service.inFlight?.atMs ?? snapshot.service.waiting?.atMs;
  return byLoad && measuredAtMs !== undefined ? measuredAtMs - periodMs : plan.atMs;
}
