import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { endRun } from './end-run';
import { isRunning, pidScope } from './process-identity';
import { RUN_FOLDER_PREFIX, readRunRecord, runFoldersRoot } from './run-folder';
import type { RunRecord } from './run-folder';

/** A folder is recorded within milliseconds of being made; one that is not by now never will be. */
const UNRECORDED_AFTER_MS = 600_000;

/**
 * Ends and deletes what is left of runs whose owner and supervisor were both killed. Touches only folders
 * of our own user, and only processes that are provably the recorded ones. Returns how many were removed.
 */
export async function sweepLeftovers(root = runFoldersRoot()): Promise<number> {
  const abandoned = readdirSync(root)
    .filter((name) => name.startsWith(RUN_FOLDER_PREFIX))
    .map((name) => join(root, name))
    .filter(isAbandoned);
  await Promise.all(abandoned.map(endRun));
  return abandoned.length;
}

function isAbandoned(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true || stat.uid !== process.getuid?.()) return false;

  const record = readRunRecord(path);
  if (record === undefined) return Date.now() - stat.mtimeMs > UNRECORDED_AFTER_MS;
  return nobodyCares(record);
}

function nobodyCares({ scope, owner, supervisor }: RunRecord): boolean {
  const here = pidScope();
  if (scope.boot !== here.boot) return true;
  if (scope.namespace !== here.namespace) return false;
  return !isRunning(owner) && !(supervisor !== undefined && isRunning(supervisor));
}
