import { getEventListeners } from 'node:events';

import { startBedrockStandIn } from '@matsuri/local';
import type { BedrockStandIn, ScriptName } from '@matsuri/local';

import type { BedrockCaller } from './bedrock-caller';
import { callerAt, HAIKU, iterator, question, receive, TITAN } from './test/calls';
import { eventually } from './test/eventually';
import { listenInSilence } from './test/servers';

const REQUEST = question('Recommend something calm.');
const REASON = new Error('the client has left');
const OTHERS = new AbortController().signal;

let bedrock: BedrockStandIn;
let caller: BedrockCaller;
let controller: AbortController;
const opened: BedrockCaller[] = [];

beforeAll(async () => {
  bedrock = await startBedrockStandIn({ pacing: 'instant' });
});

afterAll(() => bedrock.close());

beforeEach(() => {
  bedrock.reset();
  caller = open(bedrock.url);
  controller = new AbortController();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** A caller that is closed after the test, however it ends. */
function open(...[endpoint, overrides]: Parameters<typeof callerAt>): BedrockCaller {
  const one = callerAt(endpoint, overrides);
  opened.push(one);
  return one;
}

function options(signal = controller.signal) {
  return { attemptId: 'attempt', signal };
}

function meet(name: ScriptName, times = 1): void {
  bedrock.script({ script: { name }, times });
}

function listeners(signal = controller.signal): number {
  return getEventListeners(signal, 'abort').length;
}

async function upstreamOutcome(): Promise<string | undefined> {
  const entries = await eventually(
    () => bedrock.ledger(),
    (all) => all.length > 0 && all.every(({ outcome }) => outcome !== 'running'),
  );
  return entries.at(-1)?.outcome;
}

async function sent(): Promise<void> {
  await eventually(
    () => bedrock.ledger().length,
    (count) => count > 0,
  );
}

describe('an abort', () => {
  test('before the call leaves nothing to do', async () => {
    controller.abort(REASON);
    await expect(caller.stream(HAIKU, REQUEST, options())).rejects.toBe(REASON);
    await expect(caller.complete(HAIKU, REQUEST, options())).rejects.toBe(REASON);
    await expect(caller.embed(TITAN, ['a'], options())).rejects.toBe(REASON);
    expect(bedrock.ledger()).toEqual([]);
  });

  test('right after the call is not missed', async () => {
    await caller.complete(HAIKU, REQUEST, options());
    const calls = [
      caller.complete(HAIKU, REQUEST, options()),
      caller.stream(HAIKU, REQUEST, options()),
    ];
    controller.abort(REASON);
    for (const call of calls) await expect(call).rejects.toBe(REASON);
    expect(bedrock.ledger()).toHaveLength(1);
  });

  test('does not wait for credentials', async () => {
    const waiting = open(bedrock.url, { credentials: () => new Promise(() => undefined) });
    const call = waiting.complete(HAIKU, REQUEST, options());
    controller.abort(REASON);
    await expect(call).rejects.toBe(REASON);
    expect(listeners()).toBe(0);
  });

  test('while the connection is made keeps the call from being sent', async () => {
    const call = caller.complete(HAIKU, REQUEST, options());
    // Turns of microtasks only: nothing can be connected before the loop goes round.
    while (caller.connections()[HAIKU.region]?.busy !== 1) await Promise.resolve();
    controller.abort(REASON);
    await expect(call).rejects.toBe(REASON);
    await caller.complete(HAIKU, REQUEST, { ...options(OTHERS), attemptId: 'the second' });
    expect(bedrock.ledger()).toMatchObject([{ attemptId: 'the second' }]);
  });

  test('does not wait for a connection', async () => {
    const silent = await listenInSilence();
    const connecting = open(silent.url);
    const call = connecting.complete(HAIKU, REQUEST, options());
    await silent.connected;
    controller.abort(REASON);
    await expect(call).rejects.toBe(REASON);
    silent.close();
  });

  test.each(['stream', 'complete'] as const)('ends a %s that nobody answers', async (operation) => {
    meet('hang-before-headers');
    const call = caller[operation](HAIKU, REQUEST, options());
    await sent();
    const abortedAt = performance.now();
    controller.abort(REASON);
    await expect(call).rejects.toBe(REASON);
    expect(await upstreamOutcome()).toBe('aborted');
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    expect(listeners()).toBe(0);
  });

  test('ends a stream that fell silent, while its reader waits', async () => {
    meet('hang-after-metadata');
    const reader = iterator(await caller.stream(HAIKU, REQUEST, options()));
    await expect(reader.next()).resolves.toMatchObject({ value: [{ type: 'start' }] });
    const next = reader.next();
    controller.abort(REASON);
    await expect(next).rejects.toBe(REASON);
    await expect(reader.next()).resolves.toMatchObject({ done: true });
    expect(await upstreamOutcome()).toBe('aborted');
    expect(listeners()).toBe(0);
  });

  test('need not be an error', async () => {
    meet('hang-before-headers');
    const call = caller.stream(HAIKU, REQUEST, options());
    await sent();
    controller.abort('no more');
    await expect(call).rejects.toBe('no more');
  });

  test('after the end changes nothing', async () => {
    const { error, text } = await receive(caller.stream(HAIKU, REQUEST, options()));
    controller.abort(REASON);
    expect({ error, text }).toEqual({ error: undefined, text: bedrock.ledger()[0]?.text });
    expect(listeners()).toBe(0);
  });
});

test('leaving a stream early ends the call upstream', async () => {
  meet('trickle-metadata');
  for await (const batch of await caller.stream(HAIKU, REQUEST, options())) {
    expect(batch).toContainEqual({ type: 'start' });
    break;
  }
  expect(await upstreamOutcome()).toBe('aborted');
  expect(listeners()).toBe(0);
  expect(caller.connections()[HAIKU.region]).toMatchObject({ busy: 0 });
});

test('a batch is awaited by one reader at a time', async () => {
  meet('hang-after-metadata');
  const reader = iterator(await caller.stream(HAIKU, REQUEST, options()));
  await reader.next();
  const waiting = reader.next();
  await expect(reader.next()).rejects.toThrow('awaited already');
  controller.abort(REASON);
  await expect(waiting).rejects.toBe(REASON);
});

test('1,000 aborted calls leave no socket, listener or place in the queue behind', async () => {
  const scripts = ['hang-before-headers', 'hang-after-metadata', 'trickle-metadata', 'ok'] as const;
  for (let round = 0; round < 25; round += 1) {
    bedrock.reset();
    const calls = Array.from({ length: 40 }, async (_, at) => {
      const own = new AbortController();
      meet(scripts[at % scripts.length] ?? 'ok');
      const reading = receive(caller.stream(HAIKU, REQUEST, options(own.signal)));
      if (at % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (at % 5 === 0) await sent();
      own.abort(REASON);
      await reading;
      return listeners(own.signal);
    });
    expect(await Promise.all(calls)).toEqual(calls.map(() => 0));
  }
  expect(caller.connections()[HAIKU.region]).toMatchObject({ busy: 0, waiting: 0 });
  await eventually(
    () => bedrock.overlap().running,
    (running) => running === 0,
  );
  const { error } = await receive(caller.stream(HAIKU, REQUEST, options()));
  expect(error).toBeUndefined();
  await caller.close();
  await eventually(
    () => caller.connections()[HAIKU.region]?.open,
    (open) => open === 0,
  );
}, 30_000);
