import { packageOf } from './module-lines';
import type { ModuleOfLine } from './module-lines';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** The parts of V8's profile that matter here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Time spent in a function itself, not in what it calls. */
export interface SelfTime {
  readonly function: string;
  /** A module of the bundle, a module of Node, or empty for what is native. */
  readonly module: string;
  /** The package of the bundle on whose behalf: the function's own, else its nearest caller's. */
  readonly owner: string;
  /** The nearest caller in the bundle of what belongs to Node. */
  readonly caller: string;
  readonly micros: number;
}

/** The profiler's own work, and waiting. */
const LEFT_OUT = new Set(['(idle)', 'node:inspector']);

/** Nobody in the bundle asked for it: the event loop, the garbage collector. */
const RUNTIME = { owner: '(runtime)', caller: '' };

/** Self time per function and caller, most first. */
export function selfTimes(profile: CpuProfile, moduleOf: ModuleOfLine): SelfTime[] {
  const microsOf = microsByNode(profile);
  const parentOf = parents(profile);
  const totals = new Map<string, SelfTime>();
  for (const node of profile.nodes) {
    const micros = microsOf.get(node.id) ?? 0;
    const { functionName, url } = node.callFrame;
    if (micros === 0 || LEFT_OUT.has(functionName) || LEFT_OUT.has(url)) continue;
    const time = {
      function: functionName === '' ? '(anonymous)' : functionName,
      module: isBundled(url) ? moduleOf(node.callFrame.lineNumber) : url,
      ...behalfOf(node, parentOf, moduleOf),
    };
    const key = `${time.function}\n${time.module}\n${time.caller}`;
    totals.set(key, { ...time, micros: micros + (totals.get(key)?.micros ?? 0) });
  }
  return [...totals.values()].sort((a, b) => b.micros - a.micros);
}

/** Self time added up by owner: in its own code, and in Node and native code on its behalf. */
export function byOwner(
  times: readonly SelfTime[],
): { readonly owner: string; readonly ownMicros: number; readonly micros: number }[] {
  const owners = Map.groupBy(times, ({ owner }) => owner);
  return Array.from(owners, ([owner, list]) => ({
    owner,
    ownMicros: sum(list.filter(({ caller }) => caller === '')),
    micros: sum(list),
  })).sort((a, b) => b.micros - a.micros);
}

function sum(times: readonly SelfTime[]): number {
  return times.reduce((total, { micros }) => total + micros, 0);
}

type ProfileNode = CpuProfile['nodes'][number];

function microsByNode({ samples, timeDeltas }: CpuProfile): Map<number, number> {
  const micros = new Map<number, number>();
  samples.forEach((id, index) => micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[index] ?? 0)));
  return micros;
}

function parents({ nodes }: CpuProfile): Map<number, ProfileNode> {
  return new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
}

function behalfOf(
  node: ProfileNode,
  parentOf: ReadonlyMap<number, ProfileNode>,
  moduleOf: ModuleOfLine,
): Pick<SelfTime, 'owner' | 'caller'> {
  const bundled = (it: ProfileNode): boolean => isBundled(it.callFrame.url);
  let nearest: ProfileNode | undefined = node;
  while (nearest !== undefined && !bundled(nearest)) nearest = parentOf.get(nearest.id);
  if (nearest === undefined) return RUNTIME;
  const { functionName, lineNumber } = nearest.callFrame;
  const module = moduleOf(lineNumber);
  const caller = nearest === node ? '' : `${functionName || '(anonymous)'} in ${module}`;
  return { owner: packageOf(module), caller };
}

/** Node's modules go by `node:`; V8's own entries and native functions have no address. */
function isBundled(url: string): boolean {
  return url !== '' && !url.startsWith('node:');
}
