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

const MIGRATIONS = 'services/database/migrations';

/** The migration applies SQL that lies beside it; the snapshots in there are for writing new ones. */
function besideOf(root: string, name: string): Readonly<Record<string, string>> {
  if (name !== ONE_OFF_TASKS.migrate) return {};
  const files = globSync(['*.sql', 'meta/_journal.json'], { cwd: join(root, MIGRATIONS) });
  return Object.fromEntries(
    files.sort().map((file) => [`migrations/${file}`, `${MIGRATIONS}/${file}`]),
  );
}
