import { parseArgs } from 'node:util';

import { POLICIES, type PolicyName } from './core/policies/policies';

/** What a run is asked to do; lists are undefined where everything is meant. */
export interface SimulateOptions {
  readonly suite: boolean;
  /** Whose traffic, quotas and prices; the suite has its own. */
  readonly environment: string;
  readonly tracesFolder: string | undefined;
  readonly policies: readonly PolicyName[] | undefined;
  readonly traces: readonly string[] | undefined;
  readonly startupSeconds: readonly number[] | undefined;
  /** Whether tasks differ in how long they take to start. */
  readonly variance: boolean;
  readonly seed: number;
}

/** What a gate is asked to look at. */
export interface GateOptions {
  readonly environment: string;
  readonly fromMs: number;
  readonly days: number;
  /** @default the environment's */
  readonly startupSeconds: number | undefined;
  readonly variance: boolean;
  readonly seed: number;
}

/** What the command line asks for: a run, a gate, the usage text, or a complaint. */
export type Asked =
  | { readonly kind: 'run'; readonly options: SimulateOptions }
  | { readonly kind: 'gate'; readonly options: GateOptions }
  | { readonly kind: 'usage' }
  | { readonly kind: 'mistake'; readonly message: string };

const DEFAULT_SEED = 7;
const LARGEST_SEED = 2 ** 32 - 1;
const LONGEST_STARTUP_SECONDS = 3_600;
const DEFAULT_ENVIRONMENT = 'prod';
const DEFAULT_DAYS = 365;
const MOST_DAYS = 3_660;
const HOUR_MS = 3_600_000;

const OPTIONS = {
  suite: { type: 'boolean', default: false },
  traces: { type: 'string' },
  policy: { type: 'string' },
  trace: { type: 'string' },
  startup: { type: 'string' },
  variance: { type: 'boolean' },
  gate: { type: 'boolean', default: false },
  env: { type: 'string' },
  from: { type: 'string' },
  days: { type: 'string' },
  seed: { type: 'string', default: String(DEFAULT_SEED) },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** How to ask. */
export function usage(): string {
  return `pnpm simulate [--suite | --env NAME] [--traces DIR] [--policy NAMES] [--trace NAMES] [--startup SECONDS] [--seed N]
pnpm simulate --gate [--env NAME] [--from DATE] [--days N] [--startup SECONDS] [--seed N]

Plays traffic against scaling policies and prints what each costs and whom it fails.
With --gate, lives through the coming calendar of an environment as it would be deployed, and exits with 1 when that
breaks its SLO or its budget, saying at which event, why, and what to change.

  --suite            every policy on every traffic, with start-up times of 50, 15 and 60 s and models without quotas;
                     without it, the traffic of an environment, with its quotas, and 50 s
  --traces DIR       recorded traces too: each *.csv of DIR, in either shape
                       t_s,input_tokens,output_tokens             one line for each request
                       t_s,rps,rate_weighted_cv,active_clients    one line for each window
  --policy NAMES     some of ${Object.keys(POLICIES).join(', ')}
  --trace NAMES      some of the traffic, by its name (a file's without .csv)
  --startup SECONDS  from the order of a task to its first request; several with commas
  --no-variance      every task takes just that; --variance: each its own time around it (so unless --suite)
  --gate             the coming calendar instead of a comparison
  --env NAME         whose configuration (${DEFAULT_ENVIRONMENT} if not given)
  --from DATE        where it begins, as 2026-11-27 or 2026-11-27T00:00+09:00 (now if not given)
  --days N           how much of it (${DEFAULT_DAYS} if not given)
  --seed N           repeats what is drawn (${DEFAULT_SEED} if not given)

Figures go to .reports/simulate-<name>.json, a page with plots beside them.
`;
}

/** Reads the arguments; nothing is run on a typing mistake. */
export function readCommandLine(args: readonly string[], nowMs = 0): Asked {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: false,
      allowNegative: true,
    });
    if (values.help) return { kind: 'usage' };
    return values.gate
      ? { kind: 'gate', options: gateOptionsOf(values, nowMs) }
      : { kind: 'run', options: optionsOf(values) };
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) };
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function gateOptionsOf(values: Values, nowMs: number): GateOptions {
  const misplaced = (['suite', 'traces', 'policy', 'trace'] as const).find((it) => values[it]);
  if (misplaced !== undefined) throw new RangeError(`--gate does not go with --${misplaced}.`);
  const { startup, from } = values;
  return {
    environment: values.env ?? DEFAULT_ENVIRONMENT,
    fromMs: from === undefined ? Math.floor(nowMs / HOUR_MS) * HOUR_MS : instantNamed(from),
    days: wholeNumber('--days', values.days ?? String(DEFAULT_DAYS), MOST_DAYS),
    startupSeconds:
      startup === undefined
        ? undefined
        : wholeNumber('--startup', startup, LONGEST_STARTUP_SECONDS),
    variance: values.variance ?? true,
    seed: wholeNumber('--seed', values.seed, LARGEST_SEED),
  };
}

function instantNamed(text: string): number {
  const atMs = Date.parse(text);
  if (Number.isFinite(atMs)) return Math.floor(atMs / 10_000) * 10_000;
  throw new RangeError(
    `--from takes a date such as 2026-11-27 or 2026-11-27T00:00+09:00, not ${JSON.stringify(text)}.`,
  );
}

function optionsOf(values: Values): SimulateOptions {
  const misplaced = (['from', 'days'] as const).find((it) => values[it] !== undefined);
  if (misplaced !== undefined) throw new RangeError(`--${misplaced} needs --gate.`);
  if (values.suite && values.env !== undefined) {
    throw new RangeError('--suite does not go with --env: it is the same for everybody.');
  }
  return {
    suite: values.suite,
    environment: values.env ?? DEFAULT_ENVIRONMENT,
    tracesFolder: values.traces,
    policies: listOf(values.policy)?.map(policyNamed),
    traces: listOf(values.trace),
    startupSeconds: listOf(values.startup)?.map((text) =>
      wholeNumber('--startup', text, LONGEST_STARTUP_SECONDS),
    ),
    // The suite's figures compare with published ones, whose tasks all take the same time.
    variance: values.variance ?? !values.suite,
    seed: wholeNumber('--seed', values.seed, LARGEST_SEED),
  };
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');
}

function policyNamed(name: string): PolicyName {
  if (isPolicy(name)) return name;
  const known = Object.keys(POLICIES).join(', ');
  throw new RangeError(`There is no policy ${JSON.stringify(name)}; there is: ${known}.`);
}

function isPolicy(name: string): name is PolicyName {
  return Object.hasOwn(POLICIES, name);
}

function wholeNumber(option: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new RangeError(`${option} takes whole numbers up to ${most}, not ${JSON.stringify(text)}.`);
}
