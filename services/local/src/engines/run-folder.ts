import { chmodSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { identify, pidScope } from './process-identity';
import type { ProcessIdentity } from './process-identity';

export const RUN_FOLDER_PREFIX = 'matsuri-engine-';
const RECORD_FILE = 'run.json';

const identitySchema = z.object({ pid: z.int().positive(), startedAt: z.string() });

const runRecordSchema = z.object({
  scope: z.object({ boot: z.string(), namespace: z.string() }),
  owner: identitySchema,
  supervisor: identitySchema.optional(),
  engine: identitySchema.optional(),
  container: z.string().optional(),
});

/** Who runs in a folder; what the next run needs to know to clean up after a killed one. */
export type RunRecord = z.infer<typeof runRecordSchema>;

/** One engine's own folder: its data, and the record of its processes. */
export interface RunFolder {
  readonly path: string;
  note(change: { supervisorPid?: number; enginePid?: number; container?: string }): void;
}

/** Where run folders are made; for root, a place that the unprivileged engines can reach. */
export function runFoldersRoot(): string {
  const preferred = tmpdir();
  return process.getuid?.() !== 0 || isReachableByEveryone(preferred) ? preferred : '/tmp';
}

/** Creates the folder and records us as its owner before anything else is put there. */
export function createRunFolder(kind: string): RunFolder {
  const path = mkdtempSync(join(runFoldersRoot(), `${RUN_FOLDER_PREFIX}${kind}-`));
  chmodSync(path, 0o711);
  let record: RunRecord = { scope: pidScope(), owner: running(process.pid) };
  write(path, record);

  return {
    path,
    note({ supervisorPid, enginePid, container }) {
      record = {
        ...record,
        ...(supervisorPid !== undefined && { supervisor: running(supervisorPid) }),
        ...(enginePid !== undefined && { engine: running(enginePid) }),
        ...(container !== undefined && { container }),
      };
      write(path, record);
    },
  };
}

/** The record in a folder; `undefined` when there is none, or none that we wrote. */
export function readRunRecord(path: string): RunRecord | undefined {
  try {
    return runRecordSchema.parse(JSON.parse(readFileSync(join(path, RECORD_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whether every user of the machine may pass through this folder and all above it. */
export function isReachableByEveryone(path: string): boolean {
  const passable = (statSync(path).mode & 0o001) !== 0;
  const parent = dirname(path);
  return passable && (parent === path || isReachableByEveryone(parent));
}

function running(pid: number): ProcessIdentity {
  // A process that has ended already is recorded as one that nobody will ever match.
  return identify(pid) ?? { pid, startedAt: 'ended' };
}

function write(path: string, record: RunRecord): void {
  const file = join(path, RECORD_FILE);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
