import type { PlatformConfiguration } from '@matsuri/contract';
import { planCapacities } from './capacity/plan-capacities';
import { costRateOf } from './cost-rate';
import { observe, type Cycle } from './cycle';
import { floorsOf } from './floors/floors';
import { LINEAR, RISES, forecastTokens, type ForecastRule } from './forecast';
import { planMitigations } from './mitigation/plan-mitigations';
import { pressures } from './mitigation/pressure';
import { modelFigures } from './model-capacity';
import { deduplicated, pagesDue } from './pages';
import type { Plan, PlanFigures } from './plan';
import { droppedEntries } from './planned';
import { prewarmFor } from './prewarm';
import { reportedState } from './reported-state';
import type { Snapshot } from './snapshot';
import type { AutoscalerState } from './state';
import { planTasks } from './task-floor';

/** How the future is guessed; what ships is the default, a simulation compares others. */
export interface DecisionRules {
  readonly tasks: ForecastRule;
  readonly units: ForecastRule;
}

/** Tasks start within a minute and are asked for by what the last minutes did; units take long and follow the line. */
export const SHIPPED_RULES: DecisionRules = { tasks: RISES, units: LINEAR };

export interface Decision {
  readonly state: AutoscalerState;
  readonly plan: Plan;
}

/** One cycle of the capacity loop: from what was known and what is seen to what shall be. */
export function decide(
  before: AutoscalerState,
  snapshot: Snapshot,
  configuration: PlatformConfiguration,
  nowMs: number,
  rules: DecisionRules = SHIPPED_RULES,
): Decision {
  const cycle = observe(before, snapshot, configuration, nowMs);
  const { measured, telemetry, completeSinceMs } = cycle;
  const { floors, emergency } = floorsOf(cycle, rules.tasks);
  const tasks = planTasks(cycle, floors);
  const figures = figuresOf(cycle, rules.units);
  const capacity = planCapacities(cycle, figures.models);
  const capacityPlans = { complex: capacity.complex.plan, simple: capacity.simple.plan };
  const pressure = pressures(measured, figures.models, configuration, nowMs);
  const mitigations = planMitigations(cycle.before.lanes, pressure, configuration, nowMs);
  const reported = reportedState(tasks.plan, capacityPlans, pressure, measured);
  const due = pagesDue(cycle, { tasks: tasks.plan, capacity, mitigations });
  const { pages, pagedAtMs } = deduplicated(due, cycle.before.pagedAtMs, configuration, nowMs);

  return {
    state: {
      version: 1,
      decidedAtMs: nowMs,
      completeSinceMs,
      reported: reported.state,
      history: cycle.history,
      tasks: tasks.state,
      emergency,
      capacity: { complex: capacity.complex.state, simple: capacity.simple.state },
      lanes: mitigations.lanes,
      pagedAtMs,
    },
    plan: {
      atMs: nowMs,
      ...reported,
      tasks: tasks.plan,
      capacity: capacityPlans,
      mitigations: mitigations.plan,
      pages,
      prewarm: prewarmFor(figures.models, configuration, nowMs),
      telemetry,
      figures,
    },
  };
}

function figuresOf(cycle: Cycle, rule: ForecastRule): PlanFigures {
  const { before, snapshot, configuration, history, measured, nowMs } = cycle;
  const predicted = forecastTokens(rule, history, configuration, nowMs);
  const throughputs = snapshot.throughputs ?? [];
  return {
    models: modelFigures(measured, predicted, throughputs, before, configuration),
    costRate: costRateOf(snapshot, configuration),
    calendarEntriesDropped: droppedEntries(configuration, nowMs),
  };
}
