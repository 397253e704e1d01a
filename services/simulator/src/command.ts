import type { PlatformConfiguration } from '@matsuri/contract';

import { readCommandLine, usage } from './command-line';
import { runGate } from './run-gate';
import { runSimulation } from './run-simulation';

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
        runSimulation(asked.options);
        return 0;
      case 'gate':
        return runGate(asked.options, environmentNamed(asked.options.environment, nowMs)) ? 0 : 1;
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
