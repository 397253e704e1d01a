import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** With fonts that have Japanese in them, so that pictures of the page can be read. */
const PACKAGES = ['chromium', 'fonts-noto-cjk'];

/** A Chromium of this machine, for a suite that does not run without; it is said aloud that it did not. */
export function findChromium(): string | undefined {
  const found = foundOrInstalled();
  if (found === undefined) {
    process.stderr.write(
      'BROWSER TESTS DID NOT RUN: there is no Chromium. On Debian or Ubuntu: apt-get install chromium\n',
    );
  }
  return found;
}

/** The one on the PATH, or Debian's, installed where that is possible. */
function foundOrInstalled(): string | undefined {
  const found = onPath();
  if (found !== undefined || process.getuid?.() !== 0) return found;
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['--quiet', '--yes', ...args], { stdio: 'ignore', timeout: 300_000 })
      .status;
  if (apt('update') !== 0) return undefined;
  apt('install', '--no-install-recommends', ...PACKAGES);
  return onPath();
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const files = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
