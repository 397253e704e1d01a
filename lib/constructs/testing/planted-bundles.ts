import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['orchestrator', 'api', 'autoscaler', 'migrate', 'load-catalogue'];

/** Folders that look like built programs: synth only reads their bytes. */
export function plantedBundles(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'matsuri-bundles-'));
  for (const program of PROGRAMS) {
    mkdirSync(join(folder, program));
    writeFileSync(join(folder, program, 'Dockerfile'), 'FROM scratch\n');
    writeFileSync(join(folder, program, 'main.cjs'), `// ${program}\n`);
  }
  mkdirSync(join(folder, 'console'));
  writeFileSync(join(folder, 'console', 'index.html'), '<!doctype html>\n');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
