import { parseEmf } from '@matsuri/telemetry';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { serveAws } from '../wire/aws-endpoint';
import { awsJsonProtocol } from '../wire/aws-json-protocol';
import { alarmBook } from './alarm-book';
import type { AlarmActionListener, AlarmBook } from './alarm-book';
import { alarmOperations } from './alarm-operations';
import type { MetricDatum } from './core/metric';
import { metricStore } from './core/metric-store';
import type { MetricStore } from './core/metric-store';
import { metricOperations } from './metric-operations';

export interface CloudWatchOptions {
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** Virtual time until what was put can be read and judged. @default 0 */
  readonly publicationDelayMs?: number;
  /**
   * Whether data keep the times their senders gave them. In compressed time, programs that do not share
   * the clock stamp their metrics with a time long past; `on-arrival` stamps those of log lines anew.
   *
   * @default 'as-sent'
   */
  readonly logTimestamps?: 'as-sent' | 'on-arrival';
  /** Reads the metrics in a log line; undefined when it holds none. @default embedded metric format */
  readonly parseEmf?: (line: string) => readonly MetricDatum[] | undefined;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
}

/** CloudWatch metrics and alarms on loopback. */
export interface CloudWatchStandIn extends AwsEndpoint {
  /** Puts metrics as if an AWS service or a log line had. */
  put(data: readonly MetricDatum[]): void;
  /** Takes the metrics of a log line in embedded metric format; false when it holds none. */
  ingestEmf(line: string): boolean;
  /** Hears what alarms invoke: scaling policies, topics. */
  onAlarmActions(listener: AlarmActionListener): void;
  readonly metrics: MetricStore;
  readonly alarms: AlarmBook;
}

/** Error shapes whose code in the older query protocol has another name. */
const QUERY_CODES = {
  InvalidParameterValueException: 'InvalidParameterValue',
  InvalidParameterCombinationException: 'InvalidParameterCombination',
  MissingRequiredParameterException: 'MissingParameter',
};

export async function startCloudWatchStandIn(
  options: CloudWatchOptions = {},
): Promise<CloudWatchStandIn> {
  const clock = options.clock ?? scaledClock();
  const metrics = metricStore(options.publicationDelayMs);
  const alarms = alarmBook(metrics, clock);
  const region = options.region ?? 'ap-northeast-1';
  const arnOf = (name: string): string => `arn:aws:cloudwatch:${region}:000000000000:alarm:${name}`;

  const endpoint = await serveAws({
    protocol: awsJsonProtocol({
      target: 'GraniteServiceVersion20100801',
      version: '1.0',
      namespace: 'com.amazonaws.cloudwatch',
      queryCodes: QUERY_CODES,
    }),
    operations: {
      ...metricOperations(metrics, clock),
      ...alarmOperations(alarms, clock, arnOf),
    },
    ...(options.port === undefined ? {} : { port: options.port }),
  });

  return {
    ...endpoint,
    metrics,
    alarms,
    put: (data) => metrics.put(data, clock.nowMs()),
    ingestEmf(line) {
      const data = (options.parseEmf ?? parseEmf)(line);
      if (data === undefined) return false;
      const nowMs = clock.nowMs();
      const restamp = options.logTimestamps === 'on-arrival';
      const stamped = restamp ? data.map((datum) => ({ ...datum, timestampMs: nowMs })) : data;
      metrics.put(stamped, nowMs);
      return true;
    },
    onAlarmActions: (listener) => alarms.onActions(listener),
    async close() {
      alarms.stop();
      await endpoint.close();
    },
  };
}
