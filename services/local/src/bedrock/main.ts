import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { modelSchema } from './core/models';
import type { PacingChoice } from './core/models';
import { startBedrockStandIn } from './stand-in';

const USAGE = `Bedrock's runtime API on loopback.

  --port <n>               port to listen on (0: a free one)
  --pacing <choice>        realistic (default) or instant
  --first-token-ms <n>     with --tokens-per-second: one pacing for all models
  --tokens-per-second <n>
  --answer-tokens <n>      tokens of text in every answer
  --ledger-limit <n>       calls the ledger keeps
  --models <file>          JSON list of models instead of the built-in ones
  --help
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    pacing: { type: 'string', default: 'realistic' },
    'first-token-ms': { type: 'string' },
    'tokens-per-second': { type: 'string' },
    'answer-tokens': { type: 'string' },
    'ledger-limit': { type: 'string' },
    models: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const count = z.coerce.number().int().min(0);

const argsSchema = z.object({
  port: count,
  pacing: z.enum(['realistic', 'instant']),
  'first-token-ms': z.coerce.number().min(0).optional(),
  'tokens-per-second': z.coerce.number().positive().optional(),
  'answer-tokens': count.optional(),
  'ledger-limit': count.optional(),
  models: z.string().optional(),
});

type Args = z.output<typeof argsSchema>;

function pacingOf(args: Args): PacingChoice {
  const tokensPerSecond = args['tokens-per-second'];
  if (tokensPerSecond === undefined) return args.pacing;
  return { firstTokenMs: args['first-token-ms'] ?? 0, tokensPerSecond };
}

async function run(args: Args): Promise<void> {
  const standIn = await startBedrockStandIn({
    port: args.port,
    pacing: pacingOf(args),
    ...(args['answer-tokens'] === undefined ? {} : { answerTokens: args['answer-tokens'] }),
    ...(args['ledger-limit'] === undefined ? {} : { ledgerLimit: args['ledger-limit'] }),
    ...(args.models === undefined ? {} : { models: readModels(args.models) }),
  });
  process.stdout.write(`${JSON.stringify({ url: standIn.url, port: standIn.port })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void standIn.close().then(() => process.exit(0)));
  }
}

function readModels(file: string): z.output<typeof modelSchema>[] {
  return z.array(modelSchema).parse(JSON.parse(readFileSync(file, 'utf8')));
}

if (values.help) process.stdout.write(USAGE);
else void run(argsSchema.parse(values));
