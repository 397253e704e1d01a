import { MITIGATIONS, type Mitigation, type PlatformConfiguration } from '@matsuri/contract';
import type { ActiveMitigation, MitigationPlan } from '../plan';
import { LANES, type AutoscalerState, type Lane, type LaneState } from '../state';
import { moved } from './lane';
import { LADDERS, type Pressure } from './pressure';

type Lanes = AutoscalerState['lanes'];

export interface MitigationDecision {
  readonly lanes: Lanes;
  readonly plan: MitigationPlan;
}

/** Every lane moves by itself; what any of them has in force is in force. */
export function planMitigations(
  lanes: Lanes,
  pressure: Readonly<Record<Lane, Pressure>>,
  configuration: PlatformConfiguration,
  nowMs: number,
): MitigationDecision {
  const next: Partial<Record<Lane, LaneState>> = {};
  for (const lane of LANES) {
    const state = moved(lanes[lane], pressure[lane], LADDERS[lane].length, configuration, nowMs);
    if (state !== undefined) next[lane] = state;
  }
  const active = activeIn(next, pressure);
  return {
    lanes: next,
    plan: { active, ...cacheTime(next, configuration), reason: summary(active) },
  };
}

function activeIn(
  lanes: Lanes,
  pressure: Readonly<Record<Lane, Pressure>>,
): readonly ActiveMitigation[] {
  return MITIGATIONS.flatMap((mitigation) => {
    const holders = LANES.flatMap((lane) => {
      const state = lanes[lane];
      const sinceMs = startOf(lane, mitigation, state);
      if (state === undefined || sinceMs === undefined) return [];
      if (mitigation === 'shift_to_simple' && pressure.simple.on === true) return [];
      return [{ sinceMs, reason: state.reason }];
    });
    const [first] = holders;
    if (first === undefined) return [];
    return [
      {
        mitigation,
        sinceMs: Math.min(...holders.map((it) => it.sinceMs)),
        reason: holders.map((it) => it.reason).join('; '),
      },
    ];
  });
}

function startOf(lane: Lane, mitigation: Mitigation, state: LaneState | undefined) {
  const ladder: readonly Mitigation[] = LADDERS[lane];
  const rung = ladder.indexOf(mitigation);
  return rung === -1 ? undefined : state?.startedAtMs[rung];
}

function cacheTime(
  lanes: Lanes,
  { mitigations }: PlatformConfiguration,
): Pick<MitigationPlan, 'cacheSeconds'> {
  const { normal, event, throttled } = mitigations.cacheSeconds;
  const extended = (['complex', 'simple'] as const).some(
    (lane) => startOf(lane, 'extend_cache', lanes[lane]) !== undefined,
  );
  if (extended) return { cacheSeconds: throttled };
  return { cacheSeconds: lanes.event === undefined ? normal : event };
}

function summary(active: readonly ActiveMitigation[]): string {
  return active.length === 0
    ? 'nothing is mitigated'
    : active.map((it) => `${it.mitigation} (${it.reason})`).join(', ');
}
