/** `pnpm chaos <name>`: long runs with faults, repeatable by their seed. */
import { chatChaos } from './chat/chat-chaos';
import { gatewayChaos } from './gateway/gateway-chaos';

interface Programme {
  readonly summary: string;
  readonly usage: string;
  /** Resolves with whether every promise held. */
  run(args: readonly string[]): Promise<boolean>;
}

const PROGRAMMES: Readonly<Record<string, Programme>> = { chat: chatChaos, gateway: gatewayChaos };

function list(): string {
  const lines = Object.entries(PROGRAMMES).map(([name, { summary }]) => `  ${name}  ${summary}`);
  return ['Usage: pnpm chaos <name> [options], pnpm chaos <name> --help', '', ...lines, ''].join(
    '\n',
  );
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(list());
    return 0;
  }
  const programme = Object.hasOwn(PROGRAMMES, name) ? PROGRAMMES[name] : undefined;
  if (!programme) {
    process.stderr.write(`There is no ${name}.\n\n${list()}`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(programme.usage);
    return 0;
  }
  return (await programme.run(args)) ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'failed'}\n`);
    process.exit(2);
  },
);
