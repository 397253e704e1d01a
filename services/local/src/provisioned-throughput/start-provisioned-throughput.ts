import { MODEL_CATALOGUE } from '@matsuri/contract';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import { serveAws } from '../wire/aws-endpoint';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { billedHours, statusOf } from './core/throughput';
import type { Commitment, Throughput } from './core/throughput';
import { modelArn, modelOperations, offerOf } from './foundation-models';
import type { OfferedCatalogue } from './foundation-models';
import { ROUTES, throughputOperations } from './operations';
import { restJsonProtocol } from './rest-json-protocol';
import { throughputBook } from './throughput-book';

export interface ProvisionedThroughputOptions {
  /** The models and profiles on offer. @default the contract's catalogue */
  readonly catalogue?: OfferedCatalogue;
  /** Model units that may be bought, by model id. AWS grants none until asked. @default none */
  readonly modelUnitQuotas?: Readonly<Record<string, number>>;
  /** Dollars for one model unit for one hour. @default 0 */
  readonly dollarsPerUnitHour?: (throughput: {
    readonly modelArn: string;
    readonly commitment: Commitment | undefined;
  }) => number;
  /** Virtual time from purchase to service. @default 900_000 */
  readonly activationMs?: number;
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
}

/** Bedrock's control plane on loopback: provisioned throughput, models, inference profiles. */
export interface ProvisionedThroughputStandIn extends AwsEndpoint {
  /** Those not deleted, newest first. */
  throughputs(): readonly Throughput[];
  /** Those that can be invoked now. */
  inService(): readonly Throughput[];
  /** Lets the next purchases fail at the end of their creation. */
  failNext(reason: string, times?: number): void;
  /** Changes how many units of a model may be bought. */
  grant(modelId: string, modelUnits: number): void;
  /** Hears of every purchase, change of status and deletion. */
  onChange(listener: (throughputs: readonly Throughput[]) => void): void;
  /** What all purchases have cost so far. */
  dollarsSoFar(): number;
  /** What an hour costs now. */
  dollarsPerHour(): number;
}

const ACTIVATION_MS = 900_000;

export async function startProvisionedThroughputStandIn(
  options: ProvisionedThroughputOptions = {},
): Promise<ProvisionedThroughputStandIn> {
  const clock = options.clock ?? scaledClock();
  const region = options.region ?? 'ap-northeast-1';
  const offer = offerOf(options.catalogue ?? MODEL_CATALOGUE, region);
  const quotas = new Map<string, number>();
  const grant = (modelId: string, units: number): void =>
    void quotas.set(modelArn(region, modelId), units);
  for (const [id, units] of Object.entries(options.modelUnitQuotas ?? {})) grant(id, units);

  const book = throughputBook({
    clock,
    region,
    activationMs: options.activationMs ?? ACTIVATION_MS,
    quotaOf: (arn) => quotas.get(arn) ?? 0,
  });
  const endpoint = await serveAws({
    protocol: restJsonProtocol(ROUTES),
    operations: { ...throughputOperations(book, offer, clock), ...modelOperations(offer, clock) },
    ...(options.port === undefined ? {} : { port: options.port }),
  });

  const hourly = (throughput: Throughput): number =>
    throughput.modelUnits * (options.dollarsPerUnitHour?.(throughput) ?? 0);
  const inService = (): readonly Throughput[] =>
    book.list().filter((each) => ['InService', 'Updating'].includes(statusOf(each, clock.nowMs())));

  return {
    ...endpoint,
    throughputs: () => book.list(),
    inService,
    failNext: (reason, times) => book.failNext(reason, times),
    grant,
    onChange: (listener) => book.onChange(listener),
    dollarsSoFar: () =>
      book
        .everBought()
        .reduce((sum, each) => sum + hourly(each) * billedHours(each, clock.nowMs()), 0),
    dollarsPerHour: () => inService().reduce((sum, each) => sum + hourly(each), 0),
    async close() {
      book.stop();
      await endpoint.close();
    },
  };
}
