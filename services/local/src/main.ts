/** `npm start`: the platform on this machine, until Ctrl-C. */
import { parseArgs } from 'node:util';

import { prettyLines } from '@matsuri/telemetry';

import { openBrowser } from './platform/open-browser';
import { openPlatform } from './platform/open-platform';
import { readyBlock } from './platform/ready-block';

const HELP = `Runs the platform on this machine: real engines, AWS stand-ins, the programs as they ship, and a page to chat with.

  npm start                 until Ctrl-C, which ends everything it started
  npm start -- --port 4000  the port of the page and the API (default 4173; 0 for a free one)
  npm start -- --no-open    does not open a browser (without a terminal it never does)
  npm start -- --help       this text

REDIS_URL and DATABASE_URL name engines to use instead of starting them. Without Redis the platform runs degraded and says so.`;

const DEFAULT_PORT = '4173';
const HIGHEST_PORT = 65_535;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: DEFAULT_PORT },
      'no-open': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const startedAtMs = performance.now();
  const use = startUse();
  const readable = prettyLines();
  const opened = await openPlatform({
    port: portOf(values.port),
    onProgress: (line) => console.log(`• ${line}`),
    log: ({ text }) => void process.stdout.write(readable(text)),
  }).catch((error: unknown) => {
    // Ctrl-C in a terminal also ends what was being started, which is then no failure.
    if (use.isOver) return undefined;
    throw error;
  });
  if (opened === undefined) return;
  try {
    const tookMs = performance.now() - startedAtMs;
    console.log(readyBlock({ ...opened, tookMs }));
    if (process.stdout.isTTY && !values['no-open']) openBrowser(opened.url);
    await use.over;
    console.log('\nEnding …');
  } finally {
    await opened.close();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= HIGHEST_PORT) return port;
  throw new Error(`--port takes a number from 0 to ${HIGHEST_PORT}, not "${text}".`);
}

/** Ends when the person at the terminal, or whoever supervises us, has had enough. */
function startUse() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const use = { over: promise, isOver: false };
  const end = (): void => {
    use.isOver = true;
    resolve(undefined);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  // Nobody reads any more, as when the terminal was closed.
  process.stdout.on('error', end);
  return use;
}

// Without Node's own way to end, which takes handles down one by one and was seen to wait for one for ever.
process.once('beforeExit', () => process.exit());
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
