import { metricKey } from './metric';
import type { Datapoint, MetricDatum, MetricIdentity } from './metric';
import { addToSeries, emptySeries, readSeries } from './metric-series';
import type { MetricSeries, StatisticQuery } from './metric-series';

interface Publication {
  readonly datum: MetricDatum;
  readonly visibleAtMs: number;
}

/** Every metric put so far. What was put becomes readable after the publication delay. */
export interface MetricStore {
  put(data: readonly MetricDatum[], nowMs: number): void;
  read(metric: MetricIdentity, query: StatisticQuery, nowMs: number): Datapoint[];
  /** Every series that has a readable sample. */
  list(nowMs: number): readonly MetricIdentity[];
}

export function metricStore(publicationDelayMs = 0): MetricStore {
  const series = new Map<
    string,
    { readonly identity: MetricIdentity; readonly data: MetricSeries }
  >();
  let unpublished: Publication[] = [];

  const publish = (datum: MetricDatum, nowMs: number): void => {
    const key = metricKey(datum);
    const { namespace, name, dimensions } = datum;
    const known = series.get(key) ?? {
      identity: { namespace, name, dimensions },
      data: emptySeries(),
    };
    series.set(key, known);
    addToSeries(known.data, datum, nowMs);
  };

  const settle = (nowMs: number): void => {
    const due = unpublished.filter(({ visibleAtMs }) => visibleAtMs <= nowMs);
    if (due.length === 0) return;
    unpublished = unpublished.filter(({ visibleAtMs }) => visibleAtMs > nowMs);
    for (const { datum } of due) publish(datum, nowMs);
  };

  return {
    put(data, nowMs) {
      for (const datum of data) {
        const stamped = { ...datum, timestampMs: datum.timestampMs ?? nowMs };
        if (publicationDelayMs <= 0) publish(stamped, nowMs);
        else unpublished.push({ datum: stamped, visibleAtMs: nowMs + publicationDelayMs });
      }
    },
    read(metric, query, nowMs) {
      settle(nowMs);
      const known = series.get(metricKey(metric));
      return known === undefined ? [] : readSeries(known.data, query);
    },
    list(nowMs) {
      settle(nowMs);
      return [...series.values()].map(({ identity }) => identity);
    },
  };
}
