import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { workspaceRoot } from '@matsuri/telemetry';
import { buildSync } from 'esbuild';

/** A temporary folder with the bundled programs and the logs of one run. */
export interface Workshop {
  readonly folder: string;
  /** One file for plain Node, as a container image carries it; returns its path. */
  bundle(entry: string): string;
  remove(): void;
}

/** Optional native parts that their packages do without. */
const LEFT_OUT = ['pg-native'];

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'matsuri-bench-'));
  const root = workspaceRoot(process.cwd());
  return {
    folder,
    bundle(entry) {
      const outfile = join(folder, `${nameOf(entry)}.cjs`);
      buildSync({
        entryPoints: [join(root, entry)],
        outfile,
        bundle: true,
        platform: 'node',
        target: 'node24',
        format: 'cjs',
        external: LEFT_OUT,
        logLevel: 'error',
      });
      return outfile;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `services/local/src/bedrock/main.ts` becomes `bedrock`, `…/cast/bare-proxy.ts` becomes `bare-proxy`. */
function nameOf(entry: string): string {
  const name = basename(entry, '.ts');
  const folder = dirname(entry).replace(/\/src$/, '');
  return name === 'main' ? basename(folder) : name;
}
