import {
  CHAT_ALIASES,
  COST_PARTS,
  METRICS,
  MITIGATIONS,
  PROVISIONING_STATES,
  SCALING_ACTION_SERVICE,
  SCALING_STATES,
} from '@matsuri/contract';
import type { Metrics } from '@matsuri/telemetry';
import { totalOf, type Plan, type Snapshot } from '../core';

/** How a cycle ended, for the metric that says that cycles happen. */
export type CycleOutcome = 'applied' | 'partial' | 'planned' | 'standby' | 'fenced' | 'failed';

/** What one active cycle says about itself. */
export interface CycleReport {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  readonly responseSeconds: number | undefined;
  readonly moves: number;
}

export function reportCycle(metrics: Metrics, report: CycleReport): void {
  const { plan, snapshot, responseSeconds, moves } = report;
  for (const State of SCALING_STATES) {
    metrics.record(METRICS.scalingState, Number(State === plan.state), { State });
  }
  if (moves > 0) {
    const dimensions = { State: plan.state, Service: SCALING_ACTION_SERVICE };
    metrics.record(METRICS.scalingAction, moves, dimensions);
  }
  if (responseSeconds !== undefined) {
    metrics.record(METRICS.scalingResponseTime, responseSeconds);
  }
  if (snapshot.tasks !== undefined) metrics.record(METRICS.taskCount, snapshot.tasks.running);
  metrics.record(METRICS.taskFloor, plan.tasks.floor);
  reportCapacity(metrics, plan);
  const active = new Set<string>(plan.mitigations.active.map((it) => it.mitigation));
  for (const Mitigation of MITIGATIONS) {
    metrics.record(METRICS.mitigationsActive, Number(active.has(Mitigation)), { Mitigation });
  }
  const dropped = plan.figures.calendarEntriesDropped.length;
  metrics.record(METRICS.calendarEntriesDropped, dropped);
}

function reportCapacity(metrics: Metrics, { capacity, figures }: Plan): void {
  const isScaling = CHAT_ALIASES.some((alias) => capacity[alias].pendingUnits > 0);
  const isActive = CHAT_ALIASES.some((alias) => capacity[alias].inServiceUnits > 0);
  for (const State of PROVISIONING_STATES) {
    const holds = State === 'SCALING' ? isScaling : isActive && !isScaling;
    metrics.record(METRICS.provisioningState, Number(holds), { State });
  }
  for (const Alias of CHAT_ALIASES) {
    metrics.record(METRICS.provisionedUnits, capacity[Alias].inServiceUnits, { Alias });
    const tokens = figures.models[Alias].capacityTokensPerSecond;
    metrics.record(METRICS.tokenCapacity, tokens, { Alias });
  }
  const { costRate } = figures;
  const costs = { ...costRate, total: totalOf(costRate) };
  for (const Part of COST_PARTS) {
    const dollars = costs[Part];
    if (dollars !== undefined) metrics.record(METRICS.costRate, dollars, { Part });
  }
}
