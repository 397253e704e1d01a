import type { ModelTarget } from '@matsuri/contract';

/** A provisioned throughput and its share of the calls. */
export interface Throughput {
  readonly arn: string;
  readonly units: number;
  /** 0 while it is drained before deletion. */
  readonly weight: number;
}

/**
 * The throughput one call goes to: each gets its weight's share. `draw` is a number in [0, 1). `undefined`: none
 * takes calls, everything goes on demand.
 */
export function drawThroughput(
  throughputs: readonly Throughput[],
  draw: number,
): Throughput | undefined {
  const total = throughputs.reduce((sum, { weight }) => sum + weight, 0);
  let left = draw * total;
  for (const throughput of throughputs) {
    if (throughput.weight <= 0) continue;
    left -= throughput.weight;
    if (left < 0) return throughput;
  }
  return undefined;
}

/** A throughput serves where it was bought; price and limits of tokens are those of the alias's first target. */
export function provisionedTarget(
  onDemand: ModelTarget,
  { arn }: Throughput,
): ModelTarget & { readonly provisionedArn: string } {
  const region = arn.split(':')[3] ?? '';
  return {
    profile: onDemand.profile,
    region: region === '' ? onDemand.region : region,
    provisionedArn: arn,
  };
}
