import { Argument, Command, CommanderError } from 'commander';
import { describePlanAt, planAt } from '../core';
import { SWITCHES, type SwitchName } from '../ports';
import { describeSituation, situationAsJson } from './describe-situation';
import { EXIT, failureOf } from './errors';
import { momentOf } from './moment';
import { configOf, configurationOf, type GivenSettings, type Variables } from './settings';
import { lookAt, withClients } from './situation';

/** Where a command line runs. */
export interface Terminal {
  readonly env: Variables;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly nowMs: () => number;
  /** Who sits there. */
  readonly user: () => string;
}

interface Given extends GivenSettings {
  readonly json?: true;
  readonly at?: string;
  readonly reason?: string;
  readonly by?: string;
}

const FREEZES = { in: ['freezeScaleIn'], out: ['freezeScaleOut'] } as const;
const BOTH: readonly SwitchName[] = ['freezeScaleIn', 'freezeScaleOut'];

/** Runs one command line; resolves with the exit code. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...words], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has said itself what was wrong; asking for help is not wrong at all.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
    const { text, exit } = failureOf(error);
    terminal.err(`${text}\n`);
    return exit;
  }
}

const HELP = `
Environment: that of the autoscaler (PLATFORM_OVERRIDES, AWS_REGION, AUTOSCALER_TABLE, CLUSTER_NAME, SERVICE_NAME,
REDIS_URL) and the usual AWS credentials. Nothing but the switches is ever changed.
Exit codes: 0 done, 2 wrong command line or settings, 3 AWS did not answer.`;

function createProgram(terminal: Terminal): Command {
  const program = new Command('autoscaler')
    .description('Asks the autoscaler why and what next, and holds it back.')
    .option(
      '--overrides <file>',
      "JSON of the environment's overrides (default: PLATFORM_OVERRIDES)",
    )
    .option('--region <name>', 'AWS region (default: AWS_REGION, else the configuration’s)')
    .option('--table <name>', 'DynamoDB table of the autoscaler (default: AUTOSCALER_TABLE)')
    .option('--cluster <name>', 'ECS cluster (default: CLUSTER_NAME)')
    .option('--service <name>', 'ECS service (default: SERVICE_NAME, else <product>-orchestrator)')
    .option('--json', 'answer in JSON, for programs')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride();
  addLooks(program, terminal);
  addSwitches(program, terminal);
  return program;
}

function addLooks(program: Command, terminal: Terminal): void {
  const look = async (given: Given): Promise<void> => {
    const nowMs = terminal.nowMs();
    const situation = await lookAt(configOf(given, terminal.env, nowMs), nowMs);
    terminal.out(
      given.json === true ? json(situationAsJson(situation)) : `${describeSituation(situation)}\n`,
    );
  };
  program
    .command('explain')
    .description('why the floor is what it is, from the stored state and what is measured now')
    .action((_, command: Command) => look(command.optsWithGlobals()));
  program
    .command('plan')
    .description('what a cycle would do now, or what the calendar asks for at a moment')
    .option('--at <moment>', 'with an offset, e.g. 2026-11-27T00:00+09:00')
    .action((_, command: Command) => {
      const given: Given = command.optsWithGlobals();
      if (given.at === undefined) return look(given);
      const atMs = momentOf(given.at);
      const configuration = configurationOf(given, terminal.env);
      terminal.out(
        given.json === true
          ? json(planAt(configuration, atMs))
          : `${describePlanAt(configuration, atMs)}\n`,
      );
      return undefined;
    });
}

function addSwitches(program: Command, terminal: Terminal): void {
  const turn = async (
    given: Given,
    names: readonly SwitchName[],
    to: 'set' | 'clear',
  ): Promise<void> => {
    const nowMs = terminal.nowMs();
    const config = configOf(given, terminal.env, nowMs);
    const by = given.by ?? terminal.user();
    const note = { by, reason: given.reason ?? '', atMs: nowMs };
    const set = await withClients(config, async ({ sources: { switches } }) => {
      for (const name of names)
        await (to === 'set' ? switches.set(name, note) : switches.clear(name));
      return switches.read();
    });
    const isSet = SWITCHES.filter((name) => set[name] !== undefined);
    terminal.out(
      given.json === true
        ? json(set)
        : `Set now: ${isSet.length === 0 ? 'no switch' : isSet.join(', ')}.\n`,
    );
  };
  const direction = (required: boolean) =>
    new Argument(required ? '<direction>' : '[direction]', 'in or out').choices(['in', 'out']);

  program
    .command('freeze')
    .description('let it no longer scale in, or out, until unfrozen')
    .addArgument(direction(true))
    .requiredOption('--reason <text>', 'for whoever wonders at 3 a.m.')
    .option('--by <name>', 'who asks (default: you)')
    .action((which: 'in' | 'out', _, command: Command) =>
      turn(command.optsWithGlobals(), FREEZES[which], 'set'),
    );
  program
    .command('unfreeze')
    .description('let it scale in that direction again, or in both')
    .addArgument(direction(false))
    .action((which: 'in' | 'out' | undefined, _, command: Command) =>
      turn(command.optsWithGlobals(), which === undefined ? BOTH : FREEZES[which], 'clear'),
    );
  program
    .command('provisioned')
    .description('off: drain and give back every unit it bought, and buy none; on: as configured')
    .addArgument(new Argument('<state>', 'off or on').choices(['off', 'on']))
    .option('--reason <text>', 'why', 'switched off by hand')
    .option('--by <name>', 'who asks (default: you)')
    .action((state: 'off' | 'on', _, command: Command) =>
      turn(command.optsWithGlobals(), ['provisionedOff'], state === 'off' ? 'set' : 'clear'),
    );
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
