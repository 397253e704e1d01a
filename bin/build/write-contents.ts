import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import type { Contents } from './bundle';

/**
 * Makes the folder hold these contents and nothing else. What is the same already is left alone, and what is
 * not is replaced in one step: a program that starts meanwhile reads the old file or the new one, never half.
 */
export function writeContents(folder: string, contents: Contents): void {
  for (const stale of filesIn(folder)) {
    if (!contents.has(stale)) rmSync(join(folder, stale), { force: true });
  }
  for (const [path, bytes] of contents) {
    const file = join(folder, path);
    if (existsSync(file) && readFileSync(file).equals(bytes)) continue;
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${folder}.${randomUUID()}`;
    writeFileSync(draft, bytes);
    renameSync(draft, file);
  }
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Changes when anything in it does. */
export function fingerprint(contents: Contents): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\0${bytes.byteLength}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 12);
}
