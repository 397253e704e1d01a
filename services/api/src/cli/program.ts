import { Command, CommanderError, Option } from 'commander';
import { PORTS } from '@matsuri/contract';
import { GROUPINGS } from '../wire/usage-schemas';
import { action, momentOption, type Terminal } from './action';
import * as commands from './commands';
import { EXIT, failureOf } from './errors';
import * as options from './options';

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
    const { lines, exit } = failureOf(error);
    terminal.err(`${lines.join('\n')}\n`);
    return exit;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('token')
    .description('Manages API tokens and reports their usage, over the management API.')
    .option('--url <url>', 'address of the API', terminal.env['MATSURI_API_URL'] ?? LOCAL_URL)
    .option('--admin-token <secret>', "the administrator's secret (better: MATSURI_ADMIN_TOKEN)")
    .option('--json', 'answer in JSON, for programs')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride();
  addCreate(program, terminal);
  addCommandsOfOneToken(program, terminal);
  addLists(program, terminal);
  return program;
}

const LOCAL_URL = `http://127.0.0.1:${PORTS.api}`;

const HELP = `
Environment: MATSURI_API_URL, MATSURI_ADMIN_TOKEN.
Exit codes: 0 done, 1 refused by the API, 2 wrong command line, 3 API not reachable or not able to answer.`;

function addCreate(program: Command, terminal: Terminal): void {
  command(program, 'create', 'create a token and show it, once')
    .requiredOption('--tenant <id>', 'the tenant it belongs to')
    .requiredOption('--user <id>', 'whose usage it counts as')
    .requiredOption('--name <text>', 'what it is for')
    .option('--models <names>', 'comma-separated aliases, models or profiles (default: all)')
    .option('--rpm <count>', 'requests per minute')
    .option('--tpm <count>', 'tokens per minute')
    .option('--day-cap <dollars>', 'most it may spend in a UTC day')
    .option('--month-cap <dollars>', 'most it may spend in a UTC month')
    .option('--expires <moment>', 'a date, an ISO moment, or a duration such as 90d')
    .option('--idempotency-key <text>', 'run again with the same key, it makes no second token')
    .action(
      action(terminal, options.createOptions, (client, given) => {
        const expiresAt = momentOption('--expires', given.expires, terminal.nowMs());
        return commands.createToken(
          client,
          given.tenant,
          options.newTokenBody(given, expiresAt),
          given.idempotencyKey,
        );
      }),
    );
}

function addCommandsOfOneToken(program: Command, terminal: Terminal): void {
  ofOneToken(program, 'show', 'show what a token may do').action(
    action(terminal, options.tenantOptions, (client, { tenant }, id) =>
      commands.showToken(client, tenant, id),
    ),
  );
  ofOneToken(program, 'revoke', 'end a token, everywhere, within a second').action(
    action(terminal, options.tenantOptions, (client, { tenant }, id) =>
      commands.revokeToken(client, tenant, id),
    ),
  );
  ofOneToken(program, 'rotate', 'replace a token by a successor; both work during the overlap')
    .option('--overlap <duration>', 'how long the old one works on, e.g. 30m, 24h, 0s')
    .action(
      action(terminal, options.rotateOptions, (client, { tenant, overlap }, id) =>
        commands.rotateToken(client, tenant, id, { overlap_seconds: overlap }),
      ),
    );
  ofOneToken(program, 'spend', "show a token's spending against its caps").action(
    action(terminal, options.tenantOptions, (client, { tenant }, id) =>
      commands.showSpend(client, tenant, id),
    ),
  );
}

function addLists(program: Command, terminal: Terminal): void {
  command(program, 'list', 'list the tokens of a tenant, oldest first')
    .requiredOption('--tenant <id>', 'the tenant')
    .option('--user <id>', 'of this user only')
    .option('--limit <count>', 'most rows', '100')
    .action(
      action(terminal, options.listOptions, (client, { tenant, user, limit }) =>
        commands.listTokens(client, { tenant, user }, limit),
      ),
    );
  command(program, 'usage', 'sum up usage and cost over at most 90 days')
    .addOption(new Option('--by <what>', 'one row per').choices(GROUPINGS).default('day'))
    .addOption(new Option('--days <count>', 'the last days (default: 30)').conflicts('from'))
    .option('--from <moment>', 'first moment, ISO 8601')
    .option('--to <moment>', 'first moment not covered, ISO 8601 (default: now)')
    .option('--tenant <id>', 'of this tenant only')
    .option('--user <id>', 'of this user only')
    .option('--token <id>', 'of this token only')
    .option('--model <name>', 'served by this model only')
    .option('--limit <count>', 'most rows', '100')
    .action(
      action(terminal, options.usageOptions, (client, given) =>
        commands.reportUsage(client, options.usageQuery(given, terminal.nowMs()), given.limit),
      ),
    );
}

function command(program: Command, name: string, description: string): Command {
  return program.command(name).description(description);
}

function ofOneToken(program: Command, name: string, description: string): Command {
  return command(program, name, description)
    .argument('<id>', "the token's id")
    .requiredOption('--tenant <id>', 'the tenant it belongs to');
}
