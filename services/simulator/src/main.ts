import { readCommandLine, usage } from './command-line';
import { runSimulation } from './run-simulation';

function main(args: readonly string[]): void {
  const asked = readCommandLine(args);
  switch (asked.kind) {
    case 'usage':
      process.stdout.write(usage());
      return;
    case 'mistake':
      throw new Error(asked.message);
    case 'run':
      runSimulation(asked.options);
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
