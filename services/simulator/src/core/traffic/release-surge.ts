import type { PlatformConfiguration } from '@matsuri/contract';

/** The first wave holds, then half of what is left goes every three quarters of an hour. */
const HOLD_SECONDS = 1_800;
const HALF_LIFE_SECONDS = 2_700;

/** How much of a release's rush is there so many seconds after it began; 0 to 1. */
export function surgeAfter(
  seconds: number,
  { releaseStep }: PlatformConfiguration['traffic'],
): number {
  if (seconds < 0) return 0;
  const rise = Math.min(1, seconds / releaseStep.withinSeconds);
  const falling = Math.max(0, seconds - releaseStep.withinSeconds - HOLD_SECONDS);
  return rise * Math.pow(0.5, falling / HALF_LIFE_SECONDS);
}
