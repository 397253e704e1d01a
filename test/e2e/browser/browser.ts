import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromium } from 'playwright-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser with a profile of its own, gone when closed. */
export interface TestBrowser {
  readonly page: Page;
  /** What the page complained about so far. */
  readonly complaints: readonly string[];
  /** Another tab of the same reader. */
  newTab(): Promise<Page>;
  close(): Promise<void>;
}

export async function startBrowser(
  executablePath: string,
  options: BrowserContextOptions,
): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'matsuri-browser-'));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    ...options,
    executablePath,
    args: FLAGS,
    headless: true,
    chromiumSandbox: false,
  });
  const complaints: string[] = [];
  const heard = (page: Page): Page => {
    page.on('console', (message) => {
      const isBad = message.type() === 'error' || message.type() === 'warning';
      if (isBad) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return page;
  };
  return {
    page: heard(context.pages()[0] ?? (await context.newPage())),
    complaints,
    newTab: async () => heard(await context.newPage()),
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
