import { parseArgs } from 'node:util';
import { freshSeed } from '../harness/seeded-random';

export interface GatewayChaosOptions {
  readonly calls: number;
  readonly seed: number;
  readonly faults: boolean;
  /** Where to read evidence that was kept, instead of making some. */
  readonly recheck: string | undefined;
}

const DEFAULT_CALLS = 5_000;
const MOST_CALLS = 100_000;

export const USAGE = `Usage: pnpm chaos gateway [options]

Three gateway processes over a real Redis, a real PostgreSQL and the Bedrock stand-in: mixed calls, clients that leave,
models that misbehave, processes that are killed, links and servers that fail. Then everything is healed, comes to
rest, and what it left behind is held against the platform's promises.

  --calls <n>      how many calls (default ${DEFAULT_CALLS}, at most ${MOST_CALLS})
  --seed <n>       repeats the calls and faults of an earlier run (default: a new one, printed)
  --no-faults      only misbehaving models and clients
  --recheck <file> checks evidence kept by an earlier run again, and runs nothing

Loopback only. Figures go to .reports/chaos-gateway.json; the evidence of a run that broke a promise beside it.
`;

/** Reads the command line; throws a RangeError for what makes no sense. */
export function parseOptions(args: readonly string[]): GatewayChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      calls: { type: 'string', default: String(DEFAULT_CALLS) },
      seed: { type: 'string' },
      faults: { type: 'boolean', default: true },
      recheck: { type: 'string' },
    },
    allowNegative: true,
  });
  return {
    calls: wholeNumber('calls', values.calls, 1, MOST_CALLS),
    seed: values.seed === undefined ? freshSeed() : wholeNumber('seed', values.seed, 0, 2 ** 32),
    faults: values.faults,
    recheck: values.recheck,
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`--${name} is a whole number from ${least} to ${most}, not ${text}`);
}
