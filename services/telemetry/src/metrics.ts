import type { MetricDefinition } from '@matsuri/contract';

import type { DimensionValues } from './core/metric-table';
import { declare, newMetricTable, record, takeProblems, takeReadings } from './core/metric-table';
import { msUntilPeriodEnd, periodStartMs } from './core/period';
import { renderEmf } from './core/render-emf';
import type { Logger } from './logger';
import type { WriteLine } from './stdout';
import { stdoutLines } from './stdout';

/** A value for each dimension of the definition: none may be missing, none added. */
export type DimensionsOf<D extends MetricDefinition> = Readonly<
  Record<D['dimensions'][number], string>
>;

type DimensionArguments<D extends MetricDefinition> = D['dimensions'] extends readonly []
  ? []
  : [dimensions: DimensionsOf<D>];

/** Counts in memory and writes one reading per series and 10 s period. Nothing here waits or calls out. */
export interface Metrics {
  record<D extends MetricDefinition>(
    definition: D,
    value: number,
    ...dimensions: DimensionArguments<D>
  ): void;
  /**
   * Reads a value at the end of every period; `undefined` means that there is nothing to report.
   * Returns a function that ends it.
   */
  gauge<D extends MetricDefinition>(
    definition: D,
    read: () => number | undefined,
    ...dimensions: DimensionArguments<D>
  ): () => void;
  /** Lets a counter report zero while nothing happens, so that its absence means a dead program. */
  declare<D extends MetricDefinition & { readonly aggregate: 'sum' }>(
    definition: D,
    ...dimensions: DimensionArguments<D>
  ): void;
  /** Writes what was recorded so far, for a program that may be frozen before the period ends. */
  flush(): void;
  /** Writes the last readings and stops; what is recorded later is dropped. */
  close(): void;
}

export interface MetricsOptions {
  readonly namespace: string;
  readonly service: string;
  /** Hears, once per metric and period, what could not be published as it was recorded. */
  readonly log: Pick<Logger, 'warn'>;
  /** @default standard output, unless that is a terminal */
  readonly write?: WriteLine;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
  /** Calls back once, later, and returns how to prevent it. @default setTimeout that keeps no process alive */
  readonly schedule?: (callback: () => void, delayMs: number) => () => void;
  /** Members added to every document for searching logs: the task, the version. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Sets of dimension values kept apart per metric. @default 100 */
  readonly seriesPerMetric?: number;
}

interface Gauge {
  readonly definition: MetricDefinition;
  readonly read: () => number | undefined;
  readonly dimensions: DimensionValues;
}

const DEFAULT_SERIES_PER_METRIC = 100;
/** Five minutes. */
const IDLE_PERIODS = 30;
const NO_DIMENSIONS: DimensionValues = {};

export function createMetrics(options: MetricsOptions): Metrics {
  const clock = options.clock ?? Date.now;
  const write = options.write ?? stdoutUnlessTerminal();
  const schedule = options.schedule ?? unreferencedTimeout;
  const table = newMetricTable({
    seriesPerMetric: options.seriesPerMetric ?? DEFAULT_SERIES_PER_METRIC,
    idlePeriods: IDLE_PERIODS,
  });
  const gauges = new Set<Gauge>();
  let openPeriodMs = periodStartMs(clock());
  let closed = false;
  let cancel = schedule(endPeriod, msUntilPeriodEnd(clock()));

  function endPeriod(): void {
    const nowMs = clock();
    // A timer may fire a moment early; a clock that was set back counts as a new period.
    if (periodStartMs(nowMs) !== openPeriodMs) {
      sampleGauges();
      flush();
      openPeriodMs = periodStartMs(nowMs);
    }
    cancel = schedule(endPeriod, msUntilPeriodEnd(nowMs));
  }

  function sampleGauges(): void {
    for (const { definition, read, dimensions } of gauges) {
      try {
        const value = read();
        if (value !== undefined) record(table, definition, value, dimensions);
      } catch (err) {
        options.log.warn('gauge could not be read', { metric: definition.name, err });
      }
    }
  }

  function flush(): void {
    const lines = renderEmf(takeReadings(table), {
      namespace: options.namespace,
      timestampMs: openPeriodMs,
      properties: { ...options.properties, service: options.service },
    });
    for (const problem of takeProblems(table)) {
      options.log.warn('metric could not be published as recorded', { ...problem });
    }
    try {
      for (const line of lines) write(`${line}\n`);
    } catch (err) {
      options.log.warn('metrics could not be written', { err });
    }
  }

  return {
    record: (definition, value, dimensions: DimensionValues = NO_DIMENSIONS) => {
      if (!closed) record(table, definition, value, dimensions);
    },
    gauge: (definition, read, dimensions: DimensionValues = NO_DIMENSIONS) => {
      const gauge = { definition, read, dimensions };
      gauges.add(gauge);
      return () => gauges.delete(gauge);
    },
    declare: (definition, dimensions: DimensionValues = NO_DIMENSIONS) => {
      if (!closed) declare(table, definition, dimensions);
    },
    flush,
    close: () => {
      if (closed) return;
      cancel();
      sampleGauges();
      flush();
      closed = true;
    },
  };
}

function stdoutUnlessTerminal(): WriteLine {
  return process.stdout.isTTY ? () => undefined : stdoutLines();
}

function unreferencedTimeout(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs).unref();
  return () => clearTimeout(timer);
}
