import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { inertText } from './core/inert-text';
import { isWorthShowing, progressBar, progressLine } from './core/progress';
import type { TableRow } from './core/render-table';
import { renderTable } from './core/render-table';
import type { Figures } from './core/report-figures';
import { figureProblems } from './core/report-figures';
import { commitOf, workspaceRoot } from './workspace';

const REPORTS_FOLDER = '.reports';
const FILE_NAME_PART = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const CLEAR_LINE = '\r\u001b[2K';

/** What a long command tells: how far it is, a table for a person, figures on file for a machine. */
export interface Report {
  /** A live bar on a terminal, an occasional line elsewhere. */
  readonly progress: (done: number, total: number, label: string) => void;
  readonly table: (rows: readonly TableRow[]) => void;
  /** One more line for the reader. */
  readonly note: (text: string) => void;
  /**
   * Writes `.reports/<command>-<name>.json`, whole or not at all, and returns its path. Throws a
   * RangeError that lists every key which is not snake_case and every value JSON cannot hold.
   */
  readonly write: (figures: Figures) => string;
}

export interface ReportOptions {
  /** The command as typed after pnpm: bench, chaos, simulate. */
  readonly command: string;
  readonly name: string;
  /** Repeats the run. */
  readonly seed: number | string;
  /** Leaves out when the run was and how long it took, so that the same seed writes the same bytes. @default false */
  readonly timeless?: boolean;
  /** @default the repository that holds the current folder */
  readonly root?: string;
  /** @default standard output */
  readonly out?: ReportOutput;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

export interface ReportOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Begins the report of one run; its commit is the one that was there at the beginning. */
export function startReport(options: ReportOptions): Report {
  const { command, name, seed } = options;
  const fileName = `${fileNamePart(command)}-${fileNamePart(name)}.json`;
  const out: ReportOutput = options.out ?? process.stdout;
  const clock = options.clock ?? Date.now;
  const root = options.root ?? workspaceRoot(process.cwd());
  const startedAtMs = clock();
  const run = {
    command,
    name,
    seed,
    commit: commitOf(root),
    node: process.version,
    ...(options.timeless === true ? {} : { started_at: new Date(startedAtMs).toISOString() }),
  };
  const screen = progressScreen(out);
  screen.print(
    `${command} ${name}, seed ${String(seed)}, commit ${run.commit}, node ${run.node}\n`,
  );

  return {
    progress: (done, total, label) => {
      screen.show({
        done,
        total,
        label: inertText(label, 'escape'),
        elapsedMs: clock() - startedAtMs,
      });
    },
    table: (rows) => screen.print(`\n${renderTable(rows)}\n`),
    note: (text) => screen.print(`${inertText(text, 'keep')}\n`),
    write: (figures) => {
      refuseProblems(figures);
      const path = join(root, REPORTS_FOLDER, fileName);
      const took = options.timeless === true ? {} : { took_s: (clock() - startedAtMs) / 1000 };
      replaceFile(path, `${JSON.stringify({ ...run, ...took, ...figures }, null, 2)}\n`);
      screen.print(`figures: ${relative(root, path)}\n`);
      return path;
    },
  };
}

/** Keeps the bar, which has no line of its own, and printed lines apart. */
function progressScreen(out: ReportOutput) {
  const onTerminal = out.isTTY === true;
  let barShown = false;
  let lastShownAtMs = 0;
  const print = (text: string): void => {
    out.write(barShown ? CLEAR_LINE + text : text);
    barShown = false;
  };
  const show = (progress: Parameters<typeof progressBar>[0]): void => {
    if (!isWorthShowing(progress, lastShownAtMs, onTerminal)) return;
    lastShownAtMs = progress.elapsedMs;
    if (onTerminal) out.write(CLEAR_LINE + progressBar(progress));
    else print(`${progressLine(progress)}\n`);
    barShown = onTerminal;
  };
  return { print, show };
}

function fileNamePart(text: string): string {
  if (FILE_NAME_PART.test(text)) return text;
  throw new RangeError(
    `a report is named by lower-case words with hyphens, not ${JSON.stringify(text)}`,
  );
}

function refuseProblems(figures: Figures): void {
  const problems = figureProblems(figures);
  if (problems.length > 0) throw new RangeError(`figures cannot be kept:\n${problems.join('\n')}`);
}

/** Whoever reads meanwhile sees the old file or the new one, never half of it. */
function replaceFile(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const unfinished = `${path}.${String(process.pid)}.tmp`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
