import type { PlatformConfiguration } from '@matsuri/contract';

import { readCommandLine, usage, type SimulateOptions } from './command-line';
import { runGate } from './run-gate';
import { runSimulation } from './run-simulation';
import { environmentSources, suiteSources, type TrafficSource } from './traffic-sources';

/** Finds the configuration of an environment; throws with the names there are. */
export type EnvironmentLookup = (name: string, nowMs: number) => PlatformConfiguration;

/** The command `simulate`; its exit code. Mistakes are told in one line. */
export function simulateCommand(
  args: readonly string[],
  environmentNamed: EnvironmentLookup,
): number {
  const nowMs = Date.now();
  const asked = readCommandLine(args, nowMs);
  try {
    switch (asked.kind) {
      case 'usage':
        process.stdout.write(usage());
        return 0;
      case 'mistake':
        throw new Error(asked.message);
      case 'run':
        runSimulation(asked.options, shippedFor(asked.options, environmentNamed, nowMs));
        return 0;
      case 'gate':
        return runGate(asked.options, environmentNamed(asked.options.environment, nowMs)) ? 0 : 1;
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** The suite is the same for everybody; otherwise an environment sees its own traffic, quotas and prices. */
function shippedFor(
  { suite, seed, environment }: SimulateOptions,
  environmentNamed: EnvironmentLookup,
  nowMs: number,
): readonly TrafficSource[] {
  if (suite) return suiteSources(seed);
  return environmentSources(seed, environmentNamed(environment, nowMs));
}
