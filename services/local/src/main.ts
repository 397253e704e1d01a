/** `npm start`: the platform on this machine, until Ctrl-C. */
import { parseArgs } from 'node:util';

import type { PlatformOverrides } from '@matsuri/contract';
import { prettyLines } from '@matsuri/telemetry';

import { addressesOf } from './platform/addresses';
import type { Address } from './platform/addresses';
import { builtFolder, CONSOLE } from './platform/built-programs';
import { issueToken } from './platform/demo-token';
import { startFrontDoor } from './platform/front-door';
import type { FrontDoor } from './platform/front-door';
import { openBrowser } from './platform/open-browser';
import { readyBlock } from './platform/ready-block';
import { shopBackend } from './platform/shop-backend';
import { startPlatform } from './platform/start-platform';
import type { LocalPlatform } from './platform/start-platform';
import { staticFiles } from './platform/static-files';
import { statusPage } from './platform/status-page';

const HELP = `Runs the platform on this machine: real engines, AWS stand-ins, the programs as they ship, and a page to chat with.

  npm start                 until Ctrl-C, which ends everything it started
  npm start -- --port 4000  the port of the page and the API (default 4173; 0 for a free one)
  npm start -- --no-open    does not open a browser (without a terminal it never does)
  npm start -- --help       this text

REDIS_URL and DATABASE_URL name engines to use instead of starting them. Without Redis the platform runs degraded and says so.`;

/** Tasks are processes here: a handful is a fleet, and nobody waits for a release night. */
const ON_ONE_MACHINE: PlatformOverrides = {
  environment: 'local',
  scaling: { minTasks: 2, maxTasks: 4, eventMinTasks: 2, schedule: [], steps: [] },
  calendar: { events: [], weekly: [] },
};

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
  const ended = endOfUse();
  let parts: readonly Address[] = [];
  const door = await startFrontDoor({
    port: portOf(values.port),
    page: staticFiles(builtFolder(CONSOLE)),
    status: statusPage(() => parts),
  });
  try {
    const platform = await platformBehind(door.url);
    try {
      parts = addressesOf(platform);
      const token = await moveIn(platform, door);
      const tookMs = performance.now() - startedAtMs;
      console.log(readyBlock({ platform, url: door.url, token, tookMs }));
      if (process.stdout.isTTY && !values['no-open']) openBrowser(door.url);
      await ended;
      console.log('\nEnding …');
    } finally {
      await platform.close();
    }
  } finally {
    await door.close();
  }
}

function platformBehind(origin: string): Promise<LocalPlatform> {
  const readable = prettyLines();
  return startPlatform({
    overrides: ON_ONE_MACHINE,
    origin,
    onProgress: (line) => console.log(`• ${line}`),
    log: ({ text }) => void process.stdout.write(readable(text)),
  });
}

/** Opens the door; the shop gets a token of its own, and so does the person who started it. */
async function moveIn(platform: LocalPlatform, door: FrontDoor): Promise<string> {
  const { chatUrl, apiUrl } = platform.programs;
  const shopToken = await issueToken(platform, 'shop backend');
  const shop = shopBackend({ chatUrl, apiToken: shopToken, origin: door.url });
  door.open({ chatUrl, apiUrl, shop });
  return issueToken(platform, 'npm start');
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= HIGHEST_PORT) return port;
  throw new Error(`--port takes a number from 0 to ${HIGHEST_PORT}, not "${text}".`);
}

/** Resolves when the person at the terminal, or whoever supervises us, has had enough. */
function endOfUse(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    // Nobody reads any more, as when the terminal was closed.
    process.stdout.on('error', () => resolve());
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
