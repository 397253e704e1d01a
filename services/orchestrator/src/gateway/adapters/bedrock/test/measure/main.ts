/**
 * CPU microseconds per call, of this adapter and of the SDK's client, against an instant stand-in in a process of
 * its own: `pnpm exec tsx services/orchestrator/src/gateway/adapters/bedrock/test/measure/main.ts`.
 */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { z } from 'zod';

import { callerAt, HAIKU, question, TOKYO } from '../calls';
import { sdkClient, sdkInput } from '../sdk-reference';

type Call = () => Promise<number>;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '16' },
  },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);
const concurrency = Number(values.concurrency);

const REQUEST = question('Something calm, with a dog in it?', {
  system: [{ type: 'text', text: 'You recommend manga, briefly and kindly. '.repeat(25) }],
  temperature: 0.4,
});

async function main(): Promise<void> {
  const standIn = await startStandIn();
  try {
    for (const [name, figures] of Object.entries(await measure(contenders(standIn.url)))) {
      const each = figures.map((figure) => figure.toFixed(0)).join(' ');
      console.log(
        `${name.padEnd(12)} ${median(figures).toFixed(0).padStart(5)} µs per call   (${each})`,
      );
    }
  } finally {
    standIn.stop();
  }
}

function contenders(url: string): Record<string, Call> {
  const caller = callerAt(url);
  const sdk = sdkClient(url, TOKYO);
  const input = sdkInput(HAIKU, REQUEST);
  const { signal } = new AbortController();
  const options = { attemptId: '00000000-0000-4000-8000-000000000000', signal };
  return {
    'ours json': async () => (await caller.complete(HAIKU, REQUEST, options)).usage.outputTokens,
    'sdk json': async () => (await sdk.send(new ConverseCommand(input))).usage?.outputTokens ?? 0,
    'ours stream': async () => {
      let deltas = 0;
      for await (const batch of await caller.stream(HAIKU, REQUEST, options)) {
        for (const event of batch) if (event.type === 'text') deltas += 1;
      }
      return deltas;
    },
    'sdk stream': async () => {
      let deltas = 0;
      const { stream } = await sdk.send(new ConverseStreamCommand(input));
      for await (const event of stream ?? []) if (event.contentBlockDelta) deltas += 1;
      return deltas;
    },
  };
}

/** Rounds alternate, so that a busy neighbour troubles all alike; the first one warms up. */
async function measure(all: Record<string, Call>): Promise<Record<string, number[]>> {
  const figures: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, call] of Object.entries(all)) {
      const cpuMicros = await cpuPerCall(call);
      if (round > 0) (figures[name] ??= []).push(cpuMicros);
    }
  }
  return figures;
}

async function cpuPerCall(call: Call): Promise<number> {
  const before = process.cpuUsage();
  let left = calls;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        if ((await call()) !== 20) throw new Error('the answer does not have 20 tokens');
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? NaN;
}

async function startStandIn(): Promise<{ url: string; stop: () => void }> {
  const local = dirname(createRequire(__filename).resolve('@matsuri/local'));
  const child = fork(
    join(local, 'bedrock/main.ts'),
    ['--pacing', 'instant', '--answer-tokens', '20', '--ledger-limit', '100'],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the stand-in did not start')));
    child.stdout?.once('data', (line: Buffer) => {
      resolve(z.object({ url: z.string() }).parse(JSON.parse(line.toString('utf8'))).url);
    });
  });
  return { url, stop: () => void child.kill('SIGTERM') };
}

void main().then(() => process.exit());
