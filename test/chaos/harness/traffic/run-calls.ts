import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster';
import type { CallResult } from '../client/answer-watch';
import { OfficialClient } from '../client/official-client';
import { RawClient } from '../client/raw-client';
import type { GatewayProcess } from '../gateway-process';
import type { MixedCall } from './mixed-calls';

export interface RunOptions {
  readonly cluster: Cluster;
  readonly calls: readonly MixedCall[];
  /** Calls under way at once. */
  readonly atOnce: number;
  /** The token of each tenant. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Told when a call is about to begin, and how many have ended. */
  readonly onProgress?: (begun: number, ended: number) => void;
}

// Clients who are turned away do not come back at once; else an outage would use up the calls of a run.
const RETREAT_MS = 400;

/** Makes all calls, so many at once, each as its plan says. */
export async function runCalls(options: RunOptions): Promise<readonly CallResult[]> {
  const { cluster, calls, atOnce, tokens, onProgress } = options;
  const { history, bedrock } = cluster;
  const clients = new Map(
    [...tokens].map(([tenant, token]) => [
      tenant,
      {
        raw: new RawClient({ history, token, actor: `raw client of ${tenant}` }),
        official: new OfficialClient({ history, token, actor: `official client of ${tenant}` }),
      },
    ]),
  );
  const results: CallResult[] = [];
  const queue = calls.values();
  let begun = 0;

  const work = async (): Promise<void> => {
    for (const call of queue) {
      begun += 1;
      onProgress?.(begun, results.length);
      const { script, scriptedAttempts: times, marker } = call;
      bedrock.script({ script, times, when: { promptContains: marker } });
      const client = clients.get(call.tenant)?.[call.client];
      if (!client) throw new RangeError(`no token for ${call.tenant}`);
      const result = await client.call(gatewayFor(cluster, call.place), call);
      results.push(result);
      if (result.ending === 'refused' || result.ending === 'unreachable') await sleep(RETREAT_MS);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  onProgress?.(begun, results.length);
  for (const { raw } of clients.values()) raw.close();
  return results;
}

/** The gateway of a place, or the next one that is up. */
function gatewayFor({ gateways }: Cluster, place: number): GatewayProcess {
  const inTurn = [...gateways.slice(place), ...gateways.slice(0, place)];
  const found = inTurn.find(({ serving }) => serving) ?? inTurn[0];
  if (!found) throw new RangeError('there are no gateways');
  return found;
}
