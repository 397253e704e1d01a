import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgramProcess, type ProgramProcess } from '../../chaos/harness/program-process';

/** The sources, not the bundle: nothing that ships takes a clock from outside. */
const ON_VIRTUAL_TIME = {
  command: [
    process.execPath,
    '--import',
    'tsx',
    'services/autoscaler/test/world/virtual-time/main.ts',
  ],
  workingDirectory: join(__dirname, '../../..'),
} as const;

/** Autoscalers that are loaded and wait for their world. */
export interface Cast {
  readonly programs: readonly ProgramProcess[];
  /** Lets them begin, in the world of these variables. */
  begin(environment: Readonly<Record<string, string>>): void;
  /** The one that holds the lease. */
  active(): ProgramProcess | undefined;
  end(): Promise<void>;
}

/** Starts autoscalers, each a process of its own. */
export async function startCast(names: readonly string[]): Promise<Cast> {
  const folder = mkdtempSync(join(tmpdir(), 'matsuri-capacity-'));
  const file = join(folder, 'world.json');
  const programs = await Promise.all(
    names.map((name) =>
      startProgramProcess({
        name,
        program: ON_VIRTUAL_TIME,
        environment: { WORLD_FILE: file },
        readyMessage: 'waiting for a world',
      }),
    ),
  );
  return {
    programs,
    begin(environment) {
      writeFileSync(`${file}.part`, JSON.stringify(environment));
      renameSync(`${file}.part`, file);
    },
    active: () => programs.find((it) => it.running && isActive(it)),
    async end() {
      await Promise.all(programs.map((it) => it.end('SIGKILL')));
      rmSync(folder, { recursive: true });
    },
  };
}

function isActive({ log }: ProgramProcess): boolean {
  const last = log.lines.findLast((line) => TURN.test(line));
  return last?.includes('"msg":"active"') ?? false;
}

const TURN = /"msg":"(active|the lease is not safely ours: standing by)"/;
