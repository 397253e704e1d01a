import { parseArgs } from 'node:util';

import type { Benchmark, BenchmarkOptions } from './benchmark';
import { chatBenchmark } from './chat/chat-benchmark';
import { gatewayBenchmark } from './gateway/gateway-benchmark';

const BENCHMARKS: readonly Benchmark[] = [gatewayBenchmark, chatBenchmark];

const DEFAULT_SEED = 7;
const LARGEST_SEED = 2 ** 32 - 1;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  seed: { type: 'string', default: String(DEFAULT_SEED) },
  help: { type: 'boolean', default: false },
} as const;

function usage(): string {
  const width = Math.max(...BENCHMARKS.map(({ name }) => name.length));
  const list = BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `pnpm bench <name> [--quick] [--profile] [--seed N]

${list.join('\n')}

  --quick     a short run to see that everything works; not for publication
  --profile   where our own program spends its time, by package and by function
  --seed N    repeats arrivals and prompts (${DEFAULT_SEED} if not given)

Figures go to .reports/bench-<name>.json; docs/benchmarks.md says how they are made.
`;
}

/** What the command line asks for: a run, the usage text, or a complaint. */
type Asked =
  | { readonly kind: 'run'; readonly benchmark: Benchmark; readonly options: BenchmarkOptions }
  | { readonly kind: 'usage' }
  | { readonly kind: 'mistake'; readonly message: string };

function readCommandLine(args: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (values.help || name === undefined) return { kind: 'usage' };
  if (more.length > 0) return mistake(`One benchmark at a time, not also ${more.join(', ')}.`);

  const benchmark = BENCHMARKS.find((candidate) => candidate.name === name);
  if (benchmark === undefined) {
    const known = BENCHMARKS.map((candidate) => candidate.name).join(', ');
    return mistake(`There is no benchmark ${JSON.stringify(name)}; there is: ${known}.`);
  }
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed > LARGEST_SEED) {
    return mistake(`--seed takes a whole number up to ${LARGEST_SEED}.`);
  }
  const { quick, profile } = values;
  return { kind: 'run', benchmark, options: { seed, quick, profile } };
}

function mistake(message: string): Asked {
  return { kind: 'mistake', message };
}

async function main(args: readonly string[]): Promise<void> {
  const asked = readCommandLine(args);
  switch (asked.kind) {
    case 'usage':
      process.stdout.write(usage());
      return;
    case 'mistake':
      throw new Error(asked.message);
    case 'run':
      await asked.benchmark.run(asked.options);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
