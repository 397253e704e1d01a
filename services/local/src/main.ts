/** `npm start`: the platform on this machine, until Ctrl-C. */
import { parseArgs } from 'node:util';

import { prettyLines, renderTable } from '@matsuri/telemetry';

import { addressesOf } from './platform/addresses';
import type { Address } from './platform/addresses';
import { curlExample, demoToken } from './platform/demo-token';
import { startPlatform } from './platform/start-platform';
import type { LocalPlatform } from './platform/start-platform';
import { startStatusPage } from './platform/status-page';

const HELP = `Runs the platform on this machine: real engines, AWS stand-ins, the programs, and a page that shows them.

  npm start                 until Ctrl-C, which ends everything it started
  npm start -- --port 4000  the page's port (default 4173)
  npm start -- --help       this text

REDIS_URL and DATABASE_URL name engines to use instead of starting them.`;

const DEFAULT_PORT = '4173';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: DEFAULT_PORT }, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const ended = endOfUse();
  let parts: readonly Address[] = [];
  const page = await startStatusPage(() => parts, Number(values.port));
  try {
    const readable = prettyLines();
    const platform = await startPlatform({
      overrides: { environment: 'local' },
      origin: page.url,
      onProgress: (line) => console.log(`• ${line}`),
      log: ({ text }) => void process.stdout.write(readable(text)),
    });
    try {
      parts = addressesOf(platform);
      await introduce(platform, page.url);
      await ended;
      console.log('\nEnding …');
    } finally {
      await platform.close();
    }
  } finally {
    await page.close();
  }
}

/** Says where everything is, and what to try first. */
async function introduce(platform: LocalPlatform, pageUrl: string): Promise<void> {
  const token = await demoToken(platform);
  console.log(`\n${renderTable(addressesOf(platform).map((it) => ({ ...it })))}`);
  console.log(`\nAsk it something:\n\n${curlExample(platform, token)}`);
  console.log(
    `\nMore tokens:\n\nMATSURI_API_URL=${platform.programs.apiUrl} MATSURI_ADMIN_TOKEN=${platform.adminToken} npm run token -- --help`,
  );
  console.log(`\nMatsuri is up: ${pageUrl}   (Ctrl-C ends it)\n`);
}

/** Resolves when the person at the terminal, or whoever supervises us, has had enough. */
function endOfUse(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
