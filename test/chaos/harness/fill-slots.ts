import type { CallResult } from './client/answer-watch';
import { RawClient } from './client/raw-client';
import type { Cluster } from './cluster';
import type { StillOpen } from './evidence';
import { eventually } from './eventually';

/**
 * Proves that every slot of every gateway can be used: so many calls as there are slots run at once. What is missing
 * is a slot somebody still holds.
 */
export async function fillSlots(
  cluster: Cluster,
  token: string,
  slotsPerTask: number,
): Promise<readonly StillOpen[]> {
  const { history, bedrock } = cluster;
  const client = new RawClient({ history, token, actor: 'slot filler' });
  const found: StillOpen[] = [];
  for (const gateway of cluster.gateways.filter(({ serving }) => serving)) {
    const run = `fill-${gateway.name}`.replace('#', '-');
    const marker = `${run}-of-${history.records.length}`;
    bedrock.script({
      script: { name: 'thinking-pause', pauseMs: 700, tokens: 2 },
      times: slotsPerTask,
      when: { promptContains: marker },
    });
    const calls: Promise<CallResult>[] = [];
    for (let slot = 1; slot <= slotsPerTask; slot += 1) {
      const id = `${marker}-${slot}`;
      const messages = [{ role: 'user', content: marker }];
      const body = { model: 'simple', messages, stream: true };
      calls.push(
        client.call(gateway, {
          id,
          tenant: 'filler',
          stream: true,
          body,
          departure: { kind: 'stays' },
        }),
      );
    }
    let most = 0;
    await eventually(
      `${slotsPerTask} calls of ${gateway.name} at once`,
      () => (most = Math.max(most, bedrock.overlap().running)) >= slotsPerTask,
      2_000,
    ).catch(() => undefined);
    const results = await Promise.all(calls);
    const failed = results.filter(({ ending }) => ending !== 'completed').length;
    found.push({ what: `slots of ${gateway.name} in use`, count: slotsPerTask - most, allowed: 0 });
    found.push({ what: `refusals of ${gateway.name} at rest`, count: failed, allowed: 0 });
  }
  client.close();
  return found;
}
