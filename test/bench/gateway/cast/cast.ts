import type { Target } from '../load/orders';
import type { SystemName } from '../plan';
import { startLoadGenerator } from './load-generator';
import type { LoadGenerator } from './load-generator';
import { ourTarget, prepareOurStage, startOurs } from './ours';
import type { OurStage } from './ours';
import { portkeyTarget, startPortkey } from './portkey';
import { somePrompts } from './prompts';
import { rehearse } from './rehearse';
import { startServer } from './server-process';
import type { ServerProcess } from './server-process';
import { startModelStandIn } from './stand-in';
import type { ModelStandIn } from './stand-in';
import { converseRequests } from './wires';
import type { Workshop } from './workshop';

/** One way for a request to go, and the process that is measured on it. */
interface System {
  readonly target: Target;
  readonly server: ServerProcess;
}

/** Everybody a comparison needs, started and rehearsed. */
export interface Cast {
  readonly model: ModelStandIn;
  readonly stage: OurStage;
  readonly load: LoadGenerator;
  readonly systems: Readonly<Record<SystemName, System>>;
}

/** Ends what was started, the last first; also what a failed start leaves. */
export type Closers = (() => void | Promise<void>)[];

export async function startCast(workshop: Workshop, seed: number, closers: Closers): Promise<Cast> {
  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    closers.push(() => started.stop());
    return started;
  };
  const stage = await prepareOurStage();
  closers.push(() => stage.close());
  const load = keep(startLoadGenerator(workshop));
  const model = keep(await startModelStandIn(workshop));
  const proxy = keep(await startBareProxy(workshop, model));
  const ours = keep(await startOurs(workshop, stage, model));
  const portkey = keep(await startPortkey(workshop.folder));

  const prompts = somePrompts(seed);
  const converse = converseRequests(prompts, new Date());
  const systems = {
    direct: { server: model, target: byteForByte('direct', model, converse) },
    bare_proxy: { server: proxy, target: byteForByte('bare_proxy', proxy, converse) },
    ours: { server: ours, target: ourTarget(ours, stage, prompts) },
    portkey: { server: portkey, target: portkeyTarget(portkey, model.origin, prompts) },
  };
  await rehearse(Object.values(systems).map(({ target }) => target));
  return { model, stage, load, systems };
}

function startBareProxy(workshop: Workshop, model: ServerProcess): Promise<ServerProcess> {
  const program = workshop.bundle('test/bench/gateway/cast/bare-proxy.ts');
  return startServer({
    name: 'bare-proxy',
    folder: workshop.folder,
    measured: true,
    nodeArgs: (port) => [program, String(port), new URL(model.origin).port],
  });
}

function byteForByte(name: string, server: ServerProcess, requests: Target['requests']): Target {
  return { name, origin: server.origin, wire: 'converse', requests };
}
