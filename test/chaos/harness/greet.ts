import type { CallResult } from './client/answer-watch';
import { RawClient } from './client/raw-client';
import type { Cluster } from './cluster';
import type { GatewayProcess } from './gateway-process';

let greetings = 0;

/** One short call that should go well: a model named here, else the simple one. */
export async function greet(
  { history }: Pick<Cluster, 'history'>,
  gateway: GatewayProcess,
  token: string,
  { model = 'simple', words = 'hello' } = {},
): Promise<CallResult> {
  greetings += 1;
  const client = new RawClient({ history, token, actor: 'greeter' });
  try {
    return await client.call(gateway, {
      id: `greeting-${greetings}`,
      tenant: 'greeter',
      stream: false,
      body: { model, messages: [{ role: 'user', content: words }] },
      departure: { kind: 'stays' },
    });
  } finally {
    client.close();
  }
}
