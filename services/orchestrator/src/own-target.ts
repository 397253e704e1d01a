import { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { Logger } from '@matsuri/telemetry';
import { request } from 'undici';
import { z } from 'zod';
import { watchOwnTarget, type TargetWatch } from './chat/sessions/target-watch';
import type { Config } from './config';

const metadata = z.object({
  Networks: z.array(z.object({ IPv4Addresses: z.array(z.string()).optional() })),
});

const METADATA_PATIENCE_MS = 2_000;

/** Watches this task's own target; `undefined` where it is no task of ECS or cannot find out who it is. */
export async function watchTarget(
  { region, targetGroupArn, taskMetadataUrl, platform }: Config,
  port: number,
  log: Logger,
): Promise<TargetWatch | undefined> {
  if (taskMetadataUrl === undefined) return undefined;
  const address = await ownAddress(taskMetadataUrl).catch((err: unknown) => {
    log.warn('the task does not know its address and will drain on SIGTERM only', { err });
    return undefined;
  });
  if (address === undefined) return undefined;
  return watchOwnTarget({
    client: new ElasticLoadBalancingV2Client({ region }),
    target: { targetGroupArn, address, port },
    everyMs: platform.orchestrator.targetHealthPollSeconds * 1_000,
    onProblem: (err) => log.warn('the load balancer does not say how it sees this task', { err }),
  });
}

async function ownAddress(url: string): Promise<string | undefined> {
  const { body } = await request(url, { signal: AbortSignal.timeout(METADATA_PATIENCE_MS) });
  const { Networks: networks } = metadata.parse(await body.json());
  return networks.flatMap(({ IPv4Addresses = [] }) => IPv4Addresses)[0];
}
