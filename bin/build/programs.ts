import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

import { ONE_OFF_TASKS, SERVICES } from '@matsuri/contract';

/** A program that ships in a container. */
export interface Program {
  readonly name: string;
  /** From the root of the repository. */
  readonly entry: string;
  /** Files it reads at run time, by their place beside the bundle. */
  readonly beside: Readonly<Record<string, string>>;
}

/** Every program that there is to build: the services by their folder, one-off tasks by theirs. */
export function programsOf(root: string): readonly Program[] {
  const services = Object.values(SERVICES).map((name) => [name, `services/${name}/src/main.ts`]);
  const tasks = Object.values(ONE_OFF_TASKS).flatMap((name) =>
    globSync(`services/*/src/${name}/main.ts`, { cwd: root }).map((entry) => [name, entry]),
  );
  return [...services, ...tasks].flatMap(([name = '', entry = '']) =>
    existsSync(join(root, entry)) ? [{ name, entry, beside: besideOf(root, name) }] : [],
  );
}

/** Files that a program reads at run time: where they go beside it, and where they are kept. */
const BESIDE: Readonly<Record<string, { folder: string; from: string; files: string[] }>> = {
  // The snapshots in there are for writing new migrations, not for applying them.
  [ONE_OFF_TASKS.migrate]: {
    folder: 'migrations',
    from: 'services/database/migrations',
    files: ['*.sql', 'meta/_journal.json'],
  },
  [ONE_OFF_TASKS.loadCatalogue]: {
    folder: 'catalogue',
    from: 'services/catalogue/shipped',
    files: ['*.json'],
  },
};

function besideOf(root: string, name: string): Readonly<Record<string, string>> {
  const wanted = BESIDE[name];
  if (!wanted) return {};
  const { folder, from, files } = wanted;
  const found = globSync(files, { cwd: join(root, from) }).sort();
  return Object.fromEntries(found.map((file) => [`${folder}/${file}`, `${from}/${file}`]));
}
