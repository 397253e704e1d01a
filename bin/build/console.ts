import { join } from 'node:path';

import { build } from 'vite';

import type { Contents } from './bundle';

/** The web page as files for a bucket or any server: everything but the page itself is named by its content. */
export async function bundleConsole(root: string): Promise<Contents> {
  const built = await build({
    configFile: join(root, 'services/console/vite.config.mts'),
    build: { write: false },
    logLevel: 'error',
  });
  const [output] = [built].flat();
  if (output === undefined || !('output' in output)) throw new Error('Vite gave no files.');
  return new Map(
    output.output.map((file) => [
      file.fileName,
      Buffer.from(file.type === 'chunk' ? file.code : file.source),
    ]),
  );
}
