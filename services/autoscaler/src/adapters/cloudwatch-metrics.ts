import {
  GetMetricDataCommand,
  type CloudWatchClient,
  type MetricDataQuery,
  type MetricDataResult,
} from '@aws-sdk/client-cloudwatch';
import type { MetricPoint, MetricQuery } from '../reading/core/metric-queries';
import type { MetricSource } from '../ports';
import { inTime } from './aws-call';

/** CloudWatch takes no more in one request. */
const QUERIES_PER_REQUEST = 500;

export interface CloudWatchMetricsOptions {
  /** Points per page. @default CloudWatch's own */
  readonly pagePoints?: number;
}

/** Reads metrics in as few requests as CloudWatch allows, page by page. */
export function cloudWatchMetrics(
  client: CloudWatchClient,
  options: CloudWatchMetricsOptions = {},
): MetricSource {
  const readBatch = async (
    queries: readonly MetricQuery[],
    fromMs: number,
    toMs: number,
  ): Promise<ReadonlyMap<string, Series>> => {
    const found = new Map<string, Series>();
    let NextToken: string | undefined;
    do {
      const page = await client.send(
        new GetMetricDataCommand({
          MetricDataQueries: queries.map(toRequest),
          StartTime: new Date(fromMs),
          EndTime: new Date(toMs),
          ScanBy: 'TimestampDescending',
          MaxDatapoints: options.pagePoints,
          NextToken,
        }),
        inTime(),
      );
      for (const result of page.MetricDataResults ?? []) add(found, result);
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return found;
  };

  return {
    async read(queries, fromMs, toMs) {
      const batches = await Promise.all(
        batchesOf(queries).map((batch) => readBatch(batch, fromMs, toMs)),
      );
      const whole = batches.flatMap((batch) =>
        [...batch].flatMap(([id, { points, status }]): [string, readonly MetricPoint[]][] =>
          // An answer that is not complete could be missing the very point that matters.
          status === 'Complete' ? [[id, points]] : [],
        ),
      );
      return new Map(whole);
    },
  };
}

interface Series {
  readonly points: readonly MetricPoint[];
  /** As the last page says. */
  readonly status: string | undefined;
}

function add(found: Map<string, Series>, result: MetricDataResult): void {
  const { Id: id, Timestamps: times = [], Values: values = [], StatusCode: status } = result;
  if (id === undefined) return;
  const points = times.flatMap((time, at): MetricPoint[] => {
    const value = values[at];
    return value === undefined ? [] : [{ startMs: time.getTime(), value }];
  });
  found.set(id, { points: [...(found.get(id)?.points ?? []), ...points], status });
}

function toRequest(query: MetricQuery): MetricDataQuery {
  const Dimensions = Object.entries(query.dimensions).map(([Name, Value]) => ({ Name, Value }));
  return {
    Id: query.id,
    MetricStat: {
      Metric: { Namespace: query.namespace, MetricName: query.name, Dimensions },
      Period: query.periodSeconds,
      Stat: query.statistic,
    },
  };
}

function batchesOf(queries: readonly MetricQuery[]): readonly (readonly MetricQuery[])[] {
  const count = Math.ceil(queries.length / QUERIES_PER_REQUEST);
  return Array.from({ length: count }, (_, at) =>
    queries.slice(at * QUERIES_PER_REQUEST, (at + 1) * QUERIES_PER_REQUEST),
  );
}
