import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';
import { AwsError } from '../wire/aws-error';
import { deletionRefusal, statusOf, unitsInUse } from './core/throughput';
import type { Commitment, Throughput } from './core/throughput';

interface Purchase {
  readonly name: string;
  readonly modelArn: string;
  readonly modelUnits: number;
  readonly commitment: Commitment | undefined;
  readonly clientRequestToken: string | undefined;
}

/** Provisioned throughputs bought so far. */
export interface ThroughputBook {
  buy(purchase: Purchase): Throughput;
  /** By name or ARN; throws when there is none. */
  find(reference: string): Throughput;
  /** Those not deleted, newest first. */
  list(): readonly Throughput[];
  /** Deleted ones too, for the bill. */
  everBought(): readonly Throughput[];
  rename(throughput: Throughput, name: string): void;
  remove(throughput: Throughput): void;
  failNext(reason: string, times?: number): void;
  onChange(listener: (throughputs: readonly Throughput[]) => void): void;
  stop(): void;
}

export interface ThroughputBookOptions {
  readonly clock: Clock;
  readonly region: string;
  readonly activationMs: number;
  /** Model units that may be bought for a model. */
  readonly quotaOf: (modelArn: string) => number;
}

const UPDATE_MS = 60_000;

export function throughputBook(options: ThroughputBookOptions): ThroughputBook {
  const { clock } = options;
  const throughputs = new Map<string, Throughput>();
  const failures: string[] = [];
  const listeners: ((throughputs: readonly Throughput[]) => void)[] = [];
  const timers = new Set<() => void>();

  const list = (): Throughput[] =>
    [...throughputs.values()].filter(({ deletedAtMs }) => deletedAtMs === undefined).reverse();

  const announce = (): void => {
    for (const listener of listeners) listener(list());
  };

  const save = (throughput: Throughput): void => {
    throughputs.set(throughput.arn, throughput);
    announce();
  };

  const announceAt = (atMs: number): void => {
    const cancel = clock.after(atMs - clock.nowMs(), () => {
      timers.delete(cancel);
      announce();
    });
    timers.add(cancel);
  };

  const assertAffordable = ({ modelArn, modelUnits }: Purchase): void => {
    const allowed = options.quotaOf(modelArn);
    const used = unitsInUse([...throughputs.values()], modelArn, clock.nowMs());
    if (used + modelUnits <= allowed) return;
    throw new AwsError(
      'ServiceQuotaExceededException',
      `Your quota for model units of ${modelArn} is ${allowed}; ${used} are in use and ${modelUnits} more were asked for.`,
    );
  };

  return {
    list,
    everBought: () => [...throughputs.values()],
    buy(purchase) {
      const { clientRequestToken: token, name } = purchase;
      // A known token is answered, not compared: that is how Bedrock keeps retries harmless.
      const earlier = list().find(
        (each) => token !== undefined && each.clientRequestToken === token,
      );
      if (earlier !== undefined) return earlier;
      if (list().some((each) => each.name === name)) {
        throw new AwsError('ValidationException', `The name ${name} is already in use`);
      }
      assertAffordable(purchase);
      const nowMs = clock.nowMs();
      const id = randomUUID().replaceAll('-', '').slice(0, 12);
      const throughput: Throughput = {
        ...purchase,
        arn: `arn:aws:bedrock:${options.region}:000000000000:provisioned-model/${id}`,
        createdAtMs: nowMs,
        modifiedAtMs: nowMs,
        readyAtMs: nowMs + options.activationMs,
        failure: failures.shift(),
        updatingUntilMs: 0,
        deletedAtMs: undefined,
      };
      save(throughput);
      announceAt(throughput.readyAtMs);
      return throughput;
    },
    find(reference) {
      const found = list().find(({ arn, name }) => arn === reference || name === reference);
      if (found !== undefined) return found;
      const message = `There is no provisioned throughput ${reference}`;
      throw new AwsError('ResourceNotFoundException', message, 404);
    },
    rename(throughput, name) {
      const nowMs = clock.nowMs();
      if (statusOf(throughput, nowMs) !== 'InService') {
        throw new AwsError('ConflictException', 'The provisioned throughput is not in service');
      }
      const updatingUntilMs = nowMs + UPDATE_MS;
      save({ ...throughput, name, modifiedAtMs: nowMs, updatingUntilMs });
      announceAt(updatingUntilMs);
    },
    remove(throughput) {
      const refusal = deletionRefusal(throughput, clock.nowMs());
      if (refusal !== undefined) throw new AwsError('ConflictException', refusal);
      save({ ...throughput, deletedAtMs: clock.nowMs() });
    },
    failNext: (reason, times = 1) =>
      void failures.push(...Array.from({ length: times }, () => reason)),
    onChange: (listener) => void listeners.push(listener),
    stop() {
      for (const cancel of timers) cancel();
    },
  };
}
