/** Where a line of a bundle came from: esbuild writes the name of every module above its code. */
export type ModuleOfLine = (line: number) => string;

const MODULE_COMMENT = /^\s*\/\/ ((?:\.\.\/)*[\w@./+-]+\.(?:[cm]?[jt]s|json))$/;

export function moduleLines(bundle: string): ModuleOfLine {
  const modules: string[] = [];
  let current = 'bundle';
  for (const line of bundle.split('\n')) {
    current = MODULE_COMMENT.exec(line)?.[1] ?? current;
    modules.push(current);
  }
  return (line) => modules[line] ?? 'bundle';
}

const INSTALLED = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/;
const OWN = /^services\/([^/]+)\//;

/** The package a module belongs to; a module outside of any stands for itself. */
export function packageOf(module: string): string {
  const own = OWN.exec(module)?.[1];
  return own === undefined ? (INSTALLED.exec(module)?.[1] ?? module) : `@matsuri/${own}`;
}
