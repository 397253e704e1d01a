import type { PlatformConfiguration } from '@matsuri/contract';
import type { Logger } from '@matsuri/telemetry';
import type { Snapshot } from '../core';
import {
  freezeOf,
  type ChatService,
  type FloorTarget,
  type MetricSource,
  type SharedRecords,
  type SwitchName,
  type SwitchNote,
  type Switches,
  type TaskLimits,
  type ThroughputMarket,
} from '../ports';
import { AWS_PERIOD_SECONDS, queriesFor } from './core/metric-queries';
import { readingsOf } from './core/readings';

/** Everything that is looked at. */
export interface Sources {
  readonly metrics: MetricSource;
  readonly service: ChatService;
  readonly target: FloorTarget;
  readonly market: ThroughputMarket;
  readonly records: SharedRecords;
  readonly switches: Switches;
}

/** The world as one cycle sees it. */
export interface Facts {
  readonly snapshot: Snapshot;
  /** Undefined where Application Auto Scaling did not answer. */
  readonly limits: TaskLimits | undefined;
  readonly switches: Readonly<Partial<Record<SwitchName, SwitchNote>>>;
}

// Three periods of AWS's own metrics: the newest may be late, the one before it is whole.
const LOOK_BACK_MS = 3 * AWS_PERIOD_SECONDS * 1_000;

/** Reads everything at once; what does not answer is missing, and only that. Switches have to be known. */
export async function readFacts(
  sources: Sources,
  configuration: PlatformConfiguration,
  nowMs: number,
  log: Pick<Logger, 'warn'>,
): Promise<Facts> {
  const known = async <T>(source: string, reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (err) {
      log.warn('a source did not answer', { source, err });
      return undefined;
    }
  };
  const { metrics, service, target, market, records } = sources;
  const [switches, answers, counts, limits, throughputs, preScaleSignals] = await Promise.all([
    sources.switches.read(),
    known('metrics', metrics.read(queriesFor(configuration), nowMs - LOOK_BACK_MS, nowMs)),
    known('service', service.counts()),
    known('scalable target', target.limits()),
    known('provisioned throughput', market.list()),
    known('pre-scale signals', records.preScaleSignals()),
  ]);
  const readings = readingsOf(answers ?? new Map(), configuration, counts?.running, nowMs);
  const snapshot: Snapshot = {
    ...readings,
    tasks:
      counts === undefined || limits === undefined
        ? undefined
        : { ...counts, minCapacity: limits.minCapacity },
    throughputs,
    preScaleSignals: preScaleSignals ?? [],
    freeze: freezeOf(switches),
  };
  return { snapshot, limits, switches };
}
