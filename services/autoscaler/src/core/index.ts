export { SHIPPED_RULES, decide, type Decision, type DecisionRules } from './decide';
export { LINEAR, RISES, type ForecastRule } from './forecast';
export type { Predictor, Series } from './prediction/predictor';
export { FRESH_STATE, type AutoscalerState } from './state';
export { encodeState, restoreState } from './restore';
export { explain } from './explain';
export { totalOf } from './cost-rate';
export { describePlanAt, planAt, type PlannedAt } from './plan-at';
export type {
  Freeze,
  ModelReadings,
  PreScaleSignal,
  PurchaseCause,
  Reading,
  ServiceReadings,
  ServiceTasks,
  Snapshot,
  Throughput,
} from './snapshot';
export {
  FLOOR_KINDS,
  type ActiveMitigation,
  type CapacityPlan,
  type Deletion,
  type Floor,
  type FloorKind,
  type MitigationPlan,
  type ModelFigures,
  type Page,
  type Plan,
  type PlanFigures,
  type Prewarm,
  type Purchase,
  type TaskPlan,
  type TelemetryVerdict,
  type WeightedThroughput,
} from './plan';
