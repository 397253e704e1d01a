import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parseTrace } from './core/traces/parse-trace';
import type { Trace } from './core/traces/trace';

const EXTENSION = '.csv';

/** The traces of a folder, by name, read when they are asked for. */
export interface TraceFolder {
  readonly names: readonly string[];
  readonly read: (name: string) => Trace;
}

/** Lists a folder; a file that is no trace makes `read` throw a TraceFormatError. */
export function openTraceFolder(folder: string): TraceFolder {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => basename(file, EXTENSION))
    .sort();
  if (names.length === 0) throw new Error(`There is no *${EXTENSION} in ${folder}.`);
  const known = new Map<string, Trace>();
  return {
    names,
    read: (name) => {
      const trace = known.get(name) ?? parseTrace(name, textOf(folder, name));
      known.set(name, trace);
      return trace;
    },
  };
}

function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}${EXTENSION}`), 'utf8');
}
