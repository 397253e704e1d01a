import { request } from 'undici';

import { DELTAS, PACING } from '../plan';
import type { Shape, Upstream } from '../plan';
import { startServer } from './server-process';
import type { ServerProcess } from './server-process';
import type { Workshop } from './workshop';

/** The model behind every system. */
export interface ModelStandIn extends ServerProcess {
  pace(upstream: Upstream, shape: Shape): Promise<void>;
}

/** Enough to look at when something went wrong, few enough not to grow. */
const LEDGER_ENTRIES = 1_000;

export async function startModelStandIn(workshop: Workshop): Promise<ModelStandIn> {
  const program = workshop.bundle('services/local/src/bedrock/main.ts');
  const server = await startServer({
    name: 'bedrock',
    folder: workshop.folder,
    measured: false,
    nodeArgs: (port) => [
      program,
      `--port=${port}`,
      '--pacing=instant',
      `--answer-tokens=${DELTAS}`,
      `--ledger-limit=${LEDGER_ENTRIES}`,
    ],
  });
  return {
    ...server,
    async pace(upstream, shape) {
      const { statusCode, body } = await request(`${server.origin}/_standin/pacing`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(PACING[upstream][shape]),
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`the model cannot be paced: ${text}`);
    },
  };
}
