import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';

import { DELTAS } from '../plan';
import { ConnectionSet } from './connection-set';
import type { OpenLoopOrder, Target } from './orders';
import { runOrder } from './run-order';

const STALL_MS = 300;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server whose event loop stands still once, at its hundredth request; `deltas` in every stream. */
async function startTarget(options: { stalls?: boolean; deltas?: number }): Promise<Target> {
  const { stalls = false, deltas = DELTAS } = options;
  let served = 0;
  server = createServer((request, response) => {
    request.resume();
    served += 1;
    if (stalls && served === 100) blockFor(STALL_MS);
    if (request.url === '/sse') response.write('data: {"content":"x"}\n\n'.repeat(deltas));
    response.end('data: [DONE]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const kind = (path: string) => ({ path, headers: {}, bodies: ['{}'] });
  return {
    name: 'stalling',
    origin: `http://127.0.0.1:${String(port)}`,
    wire: 'openai',
    requests: { json: kind('/json'), sse: kind('/sse') },
  };
}

function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function openLoop(target: Target, shape: 'json' | 'sse'): OpenLoopOrder {
  return {
    kind: 'open-loop',
    target,
    shape,
    connections: 4,
    ratePerSecond: 400,
    seconds: 1,
    seed: 1,
  };
}

test('a stall is felt by every request that was due in it, not only by those on the wire', async () => {
  const target = await startTarget({ stalls: true });
  const sample = await runOrder(new ConnectionSet(target, 4), openLoop(target, 'json'));

  expect(sample.errors).toEqual({});
  expect(sample.wholeMs).toHaveLength(400);
  // Four connections would report four slow answers; 300 ms at 400/s are 120 callers who waited.
  const kept = sample.wholeMs.filter((ms) => ms > STALL_MS / 2);
  expect(kept.length).toBeGreaterThan(50);
});

test('a stream with a delta too few is an error, not a quick answer', async () => {
  const target = await startTarget({ deltas: DELTAS - 1 });
  const sample = await runOrder(new ConnectionSet(target, 4), openLoop(target, 'sse'));
  expect(sample.errors).toEqual({ [`${DELTAS - 1} deltas`]: 400 });
  expect(sample.wholeMs).toHaveLength(0);
});

test('a closed loop asks exactly as often as it was told', async () => {
  const target = await startTarget({});
  const sample = await runOrder(new ConnectionSet(target, 8), {
    kind: 'closed-loop',
    target,
    shape: 'sse',
    connections: 8,
    callers: 8,
    requests: 100,
  });
  expect(sample.errors).toEqual({});
  expect(sample.firstContentMs).toHaveLength(100);
});
