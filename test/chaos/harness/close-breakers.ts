import type { Cluster } from './cluster';
import type { StillOpen } from './evidence';
import { eventually } from './eventually';
import type { GatewayProcess } from './gateway-process';
import { greet } from './greet';

const PATIENCE_MS = 20_000;
const HOME = 'ap-northeast-1';

/** Once all is well, calls to a target whose breaker opened must close it again; says how many did not. */
export async function closeBreakers(cluster: Cluster, token: string): Promise<StillOpen> {
  await eventually(
    'every breaker has closed',
    async () => {
      const open = openBreakers(cluster);
      for (const { gateway, target } of open) await probe(cluster, gateway, target, token);
      return open.length === 0;
    },
    PATIENCE_MS,
  ).catch(() => undefined);
  return { what: 'breakers not closed', count: openBreakers(cluster).length, allowed: 0 };
}

interface OpenBreaker {
  readonly gateway: GatewayProcess;
  readonly target: string;
}

function openBreakers({ gateways }: Cluster): OpenBreaker[] {
  return gateways.flatMap((gateway) => {
    const latest = new Map(gateway.log.transitions.map(({ target, to }) => [target, to]));
    return [...latest]
      .filter(([, phase]) => phase !== 'closed')
      .map(([target]) => ({ gateway, target }));
  });
}

/** A call that ends up at one target: where that is not the first of its profile, the first has no room. */
async function probe(
  cluster: Cluster,
  gateway: GatewayProcess,
  target: string,
  token: string,
): Promise<void> {
  const [model = '', region = ''] = target.split('@');
  const words = `probe-${gateway.name}-${target}-${cluster.history.records.length}-end`;
  if (region !== HOME) {
    const when = { promptContains: words, region: HOME };
    cluster.bedrock.script({ script: { name: 'throttle' }, times: 3, when });
  }
  await greet(cluster, gateway, token, { model, words });
}
