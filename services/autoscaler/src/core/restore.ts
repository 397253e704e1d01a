import { SCALING_STATES } from '@matsuri/contract';
import {
  amount,
  count,
  exactly,
  listOf,
  maybe,
  objectOf,
  oneOf,
  recordOf,
  text,
  type Shape,
} from './json-shape';
import { PURCHASE_CAUSES } from './snapshot';
import {
  FRESH_STATE,
  type AutoscalerState,
  type CapacityState,
  type EmergencyState,
  type HistoryPoint,
  type LaneState,
  type PurchaseIntent,
  type TaskState,
  type Want,
} from './state';

const time = amount;

const tasksShape = objectOf<TaskState>({
  floor: maybe(count),
  raisedAtMs: maybe(time),
  loweredAtMs: maybe(time),
  wants: listOf(objectOf<Want>({ atMs: time, tasks: count })),
  lastDesired: maybe(count),
});

const capacityShape = objectOf<CapacityState>({
  purchasedAtMs: maybe(time),
  intent: maybe(
    objectOf<PurchaseIntent>({
      token: text,
      units: count,
      cause: oneOf(PURCHASE_CAUSES),
      reason: text,
      atMs: time,
    }),
  ),
  drainingSinceMs: recordOf(time),
  drainedAtMs: maybe(time),
  surplusSinceMs: maybe(time),
});

const laneShape = maybe(
  objectOf<LaneState>({
    sinceMs: time,
    pressedAtMs: time,
    movedAtMs: time,
    startedAtMs: listOf(time),
    reason: text,
  }),
);

const stateShape: Shape<AutoscalerState> = objectOf<AutoscalerState>({
  version: exactly(1),
  decidedAtMs: maybe(time),
  completeSinceMs: maybe(time),
  reported: oneOf(SCALING_STATES),
  history: listOf(
    objectOf<HistoryPoint>({
      atMs: time,
      complex: maybe(amount),
      simple: maybe(amount),
      busy: maybe(amount),
      waiting: maybe(amount),
    }),
  ),
  tasks: tasksShape,
  emergency: maybe(objectOf<EmergencyState>({ target: count, setAtMs: time })),
  capacity: objectOf<AutoscalerState['capacity']>({
    complex: capacityShape,
    simple: capacityShape,
  }),
  lanes: objectOf<AutoscalerState['lanes']>({
    complex: laneShape,
    simple: laneShape,
    queue: laneShape,
    event: laneShape,
  }),
  pagedAtMs: recordOf(time),
});

/** The state as it is kept between two cycles. */
export function encodeState(state: AutoscalerState): string {
  return JSON.stringify(state);
}

/** What was kept, or a fresh state where there is nothing or nothing that can be understood: then it watches first. */
export function restoreState(stored: string | null | undefined): AutoscalerState {
  const kept = jsonOrUndefined(stored);
  return stateShape(kept) ? kept : FRESH_STATE;
}

function jsonOrUndefined(stored: string | null | undefined): unknown {
  if (stored === null || stored === undefined) return undefined;
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
