import type { PlatformConfiguration } from '../configuration/platform';

/** Fargate on Linux and x86 in ap-northeast-1, on demand, US dollars, late 2026; for estimates, never for decisions. */
const DOLLARS_PER_VCPU_HOUR = 0.050_56;
const DOLLARS_PER_GB_HOUR = 0.005_53;

/** What one task of the chat service costs in an hour, running or starting. */
export function taskDollarsPerHour({
  orchestrator,
}: Pick<PlatformConfiguration, 'orchestrator'>): number {
  const { cpuUnits, memoryMb } = orchestrator;
  return (cpuUnits / 1_024) * DOLLARS_PER_VCPU_HOUR + (memoryMb / 1_024) * DOLLARS_PER_GB_HOUR;
}
