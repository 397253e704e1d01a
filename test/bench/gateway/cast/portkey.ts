import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Target } from '../load/orders';
import type { Prompt } from './prompts';
import { startServer } from './server-process';
import type { ServerProcess } from './server-process';
import { CREDENTIALS, MODEL, openAiRequests, REGION } from './wires';

/**
 * Portkey's gateway as npm has it, in its bedrock mode: it signs, calls Converse and decodes the event stream
 * as ours does. It keeps no ledger and no limits, checks no token, and runs without its console.
 */
export function startPortkey(folder: string): Promise<ServerProcess> {
  const fromHere = createRequire(__filename);
  const packageFolder = dirname(fromHere.resolve('@portkey-ai/gateway/package.json'));
  const program = join(packageFolder, 'build', 'start-server.js');
  return startServer({
    name: 'portkey',
    folder,
    measured: true,
    nodeArgs: (port) => [program, `--port=${port}`, '--headless'],
  });
}

export function portkeyTarget(
  server: ServerProcess,
  modelOrigin: string,
  prompts: readonly Prompt[],
): Target {
  return {
    name: 'portkey',
    origin: server.origin,
    wire: 'openai',
    requests: openAiRequests(MODEL, prompts, {
      'x-portkey-provider': 'bedrock',
      'x-portkey-custom-host': modelOrigin,
      'x-portkey-aws-access-key-id': CREDENTIALS.accessKeyId,
      'x-portkey-aws-secret-access-key': CREDENTIALS.secretAccessKey,
      'x-portkey-aws-region': REGION,
    }),
  };
}
