import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const MODULES = join(ROOT, 'node_modules');
const OWN_SCOPE = '@matsuri';

/** A throw-away copy of this repository with extra files in it, where the real tools can be run. */
export interface PlantedCopy {
  run(
    tool: string,
    ...toolArguments: string[]
  ): { readonly status: number | null; readonly output: string };
  /** Writes more files into it. */
  plant(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

export function plantedCopy(files: Readonly<Record<string, string>>): PlantedCopy {
  const copy = mkdtempSync(join(tmpdir(), 'matsuri-planted-'));
  for (const file of trackedFiles()) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  linkModules(copy);
  const plant: PlantedCopy['plant'] = (planted) => {
    for (const [file, code] of Object.entries(planted)) {
      mkdirSync(join(copy, dirname(file)), { recursive: true });
      writeFileSync(join(copy, file), code);
    }
  };
  plant(files);
  return {
    plant,
    run(tool, ...toolArguments) {
      const { status, stdout, stderr } = spawnSync(join(MODULES, '.bin', tool), toolArguments, {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return { status, output: `${stdout}${stderr}` };
    },
    remove: () => rmSync(copy, { recursive: true }),
  };
}

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** Third-party packages are shared with the original; our own packages must be those of the copy. */
function linkModules(copy: string): void {
  mkdirSync(join(copy, 'node_modules', OWN_SCOPE), { recursive: true });
  for (const entry of readdirSync(MODULES)) {
    if (entry !== OWN_SCOPE) symlinkSync(join(MODULES, entry), join(copy, 'node_modules', entry));
  }
  for (const service of readdirSync(join(ROOT, 'services'))) {
    const modules = join(ROOT, 'services', service, 'node_modules');
    if (!existsSync(modules)) continue;
    symlinkSync(join(copy, 'services', service), join(copy, 'node_modules', OWN_SCOPE, service));
    cpSync(modules, join(copy, 'services', service, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}
