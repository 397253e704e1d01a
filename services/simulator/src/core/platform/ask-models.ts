import { callsPerSecond, timesDemand } from '../models/model-demand';
import type { ModelSide } from '../models/model-side';
import type { Workload } from '../traffic/workload';

/** Quotas are granted by the minute; how full they are is looked at a little more often. */
const QUOTA_SECONDS = 60;
const LOOK_SECONDS = 10;

/** Tells the models what is asked of them: as many as came within the last minute, for what is asked for now. */
export function askModels(models: ModelSide, workload: Workload, second: number): void {
  if (second % LOOK_SECONDS !== 0) return;
  const demand = workload.demandAt(second);
  const recent = workload.arrivals.subarray(Math.max(0, second - QUOTA_SECONDS), second);
  const came = recent.reduce((sum, it) => sum + it, 0) / Math.max(1, recent.length);
  // After a silent minute the proportions are still known.
  const times = Math.max(came, 1e-6) / Math.max(1e-9, callsPerSecond(demand));
  models.ask(timesDemand(demand, times));
}
