import { defaultConfiguration } from '@matsuri/contract';

/** Fargate on Linux and x86 in Tokyo, on demand. */
const DOLLARS_PER_VCPU_HOUR = 0.050_56;
const DOLLARS_PER_GB_HOUR = 0.005_53;

const { cpuUnits, memoryMb } = defaultConfiguration.orchestrator;

/** What one task of the chat service costs, running or starting. */
export const TASK_DOLLARS_PER_HOUR =
  (cpuUnits / 1_024) * DOLLARS_PER_VCPU_HOUR + (memoryMb / 1_024) * DOLLARS_PER_GB_HOUR;
