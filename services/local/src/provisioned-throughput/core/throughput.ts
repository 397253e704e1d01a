export type Commitment = 'OneMonth' | 'SixMonths';

export type ThroughputStatus = 'Creating' | 'InService' | 'Updating' | 'Failed';

/** Model units bought for one model; each is its own ARN to invoke. */
export interface Throughput {
  readonly arn: string;
  readonly name: string;
  readonly modelArn: string;
  readonly modelUnits: number;
  readonly commitment: Commitment | undefined;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** When it will serve, or fail. */
  readonly readyAtMs: number;
  readonly failure: string | undefined;
  /** While the clock is before this, a change is being made. */
  readonly updatingUntilMs: number;
  readonly deletedAtMs: number | undefined;
  readonly clientRequestToken: string | undefined;
}

/**
 *   Creating ──activation──► InService ◄──► Updating
 *       └──────scripted────► Failed
 */
export function statusOf(throughput: Throughput, nowMs: number): ThroughputStatus {
  if (nowMs < throughput.readyAtMs) return 'Creating';
  if (throughput.failure !== undefined) return 'Failed';
  return nowMs < throughput.updatingUntilMs ? 'Updating' : 'InService';
}

const TERM_MONTHS: Readonly<Record<Commitment, number>> = { OneMonth: 1, SixMonths: 6 };

/** When a commitment ends; undefined when there is none. */
export function commitmentEndsAtMs({ commitment, createdAtMs }: Throughput): number | undefined {
  if (commitment === undefined) return undefined;
  const end = new Date(createdAtMs);
  end.setUTCMonth(end.getUTCMonth() + TERM_MONTHS[commitment]);
  return end.getTime();
}

/** Why a throughput may not be deleted now; undefined when it may. */
export function deletionRefusal(throughput: Throughput, nowMs: number): string | undefined {
  const endsAtMs = commitmentEndsAtMs(throughput);
  if (endsAtMs !== undefined && nowMs < endsAtMs) {
    return `It is committed until ${new Date(endsAtMs).toISOString()}`;
  }
  const status = statusOf(throughput, nowMs);
  return status === 'Creating' || status === 'Updating' ? `It is ${status}` : undefined;
}

/** Model units of a model that are bought, from the moment of asking, against its quota. */
export function unitsInUse(
  throughputs: readonly Throughput[],
  modelArn: string,
  nowMs: number,
): number {
  return throughputs
    .filter((each) => each.modelArn === modelArn && each.deletedAtMs === undefined)
    .filter((each) => statusOf(each, nowMs) !== 'Failed')
    .reduce((sum, { modelUnits }) => sum + modelUnits, 0);
}

const HOUR_MS = 3_600_000;

/** Hours billed so far: from being in service until deletion, begun hours counting whole. */
export function billedHours(throughput: Throughput, nowMs: number): number {
  if (throughput.failure !== undefined) return 0;
  const endMs = Math.min(throughput.deletedAtMs ?? nowMs, nowMs);
  return Math.max(Math.ceil((endMs - throughput.readyAtMs) / HOUR_MS), 0);
}
