import type { Freeze, Throughput } from '../snapshot';
import type { CapacityState } from '../state';
import type { UnitInput } from './unit-target';

/** What the capacity set of one alias is decided from. */
export interface CapacityInput extends Omit<UnitInput, 'inServiceUnits'> {
  readonly state: CapacityState;
  readonly throughputs: readonly Throughput[] | undefined;
  /** What all aliases cost by the hour, purchases of this cycle included. */
  readonly dollarsPerHour: number;
  readonly freeze: Freeze;
  /** Blind, nothing is deleted that might be needed again. */
  readonly telemetryComplete: boolean;
  /** Full telemetry for a whole hold period: without it nothing is given back. */
  readonly mayShrink: boolean;
}
