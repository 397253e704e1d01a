import type { Command } from 'commander';
import { z } from 'zod';
import { ApiClient } from './api-client';
import type { Said } from './commands';
import { momentOf } from './core/moment';
import { MisuseError } from './errors';

/** Where a command reads its settings and writes what it says. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

type Run<Schema extends z.ZodType> = (
  client: ApiClient,
  options: z.output<Schema>,
  id: string,
) => Promise<Said>;

const globalOptions = z.object({
  url: z.url({ protocol: /^https?$/ }),
  adminToken: z.string().min(1).optional(),
  json: z.boolean().default(false),
});

/** Reads the options, asks the API, says the answer. */
export function action<Schema extends z.ZodType>(
  terminal: Terminal,
  schema: Schema,
  run: Run<Schema>,
) {
  return async function act(this: Command): Promise<void> {
    const given: unknown = this.optsWithGlobals();
    const { url, adminToken, json } = parsed(globalOptions, given);
    const secret = adminToken ?? terminal.env['MATSURI_ADMIN_TOKEN'];
    if (secret === undefined || secret === '') {
      throw new MisuseError('Set MATSURI_ADMIN_TOKEN, or pass --admin-token.');
    }
    const client = new ApiClient({ url, adminToken: secret });
    const said = await run(client, parsed(schema, given), this.args[0] ?? '');
    terminal.out(json ? `${JSON.stringify(said.json, null, 2)}\n` : said.text);
    if (!json && said.note !== undefined) terminal.err(`${said.note}\n`);
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `--${flag(issue.path)}: ${issue.message}`);
  throw new MisuseError(problems.join('\n'));
}

function flag(path: readonly PropertyKey[]): string {
  return String(path[0] ?? '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A moment given on the command line. */
export function momentOption(
  name: string,
  text: string | undefined,
  nowMs: number,
): Date | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text, nowMs);
  if (moment === undefined) {
    throw new MisuseError(`${name}: must be a date, an ISO moment, or a duration such as 90d`);
  }
  return moment;
}
