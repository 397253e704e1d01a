import type { Throughput } from '../snapshot';

/** Only what this autoscaler bought without commitment can be given back. */
export function isReturnable({ boughtFor, commitment, status }: Throughput): boolean {
  return boughtFor !== undefined && commitment === 'none' && status !== 'creating';
}

/** The smallest throughput whose loss leaves enough units; undefined when every one is needed. */
export function spare(
  serving: readonly Throughput[],
  unitsToKeep: number,
  lowUse: boolean,
): Throughput | undefined {
  const have = serving.reduce((sum, it) => sum + it.units, 0);
  return (
    serving
      .filter(isReturnable)
      // The calendar's go when the calendar says so; what demand bought waits until use is low.
      .filter((it) => lowUse || it.boughtFor === 'calendar')
      .filter((it) => have - it.units >= unitsToKeep)
      .sort((a, b) => a.units - b.units || a.arn.localeCompare(b.arn))[0]
  );
}

/** What to drain at once so that no more than the allowed units are left, largest first. */
export function beyond(
  serving: readonly Throughput[],
  allowedUnits: number,
): readonly Throughput[] {
  let left = serving.reduce((sum, it) => sum + it.units, 0);
  const bySize = serving
    .filter(isReturnable)
    .sort((a, b) => b.units - a.units || a.arn.localeCompare(b.arn));
  const gone: Throughput[] = [];
  for (const it of bySize) {
    if (left <= allowedUnits) break;
    gone.push(it);
    left -= it.units;
  }
  return gone;
}
