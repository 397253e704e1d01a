import { defaultConfiguration } from '@matsuri/contract';
import { listenOnLoopback, startBedrockStandIn } from '@matsuri/local';
import type { BedrockStandIn, ScriptName } from '@matsuri/local';

import type { BedrockCaller } from './bedrock-caller';
import { callerAt, CREDENTIALS, HAIKU, iterator, question, receive, SONNET } from './test/calls';
import { eventually } from './test/eventually';
import { ANSWER_FRAMES } from './test/frames';
import { listenInSilence, refuseOnce, startFlood, writeTo } from './test/servers';

const SETTINGS = defaultConfiguration.pools.perTask.bedrock;
const MEBIBYTE = 1_024 * 1_024;
const REQUEST = question('Recommend something calm.');
const REASON = new Error('the client has left');

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

async function sent(): Promise<void> {
  await eventually(
    () => bedrock.ledger().length,
    (count) => count > 0,
  );
}

test('a burst is one batch, however many HTTP chunks it came in', async () => {
  const server = await listenOnLoopback((_, response) => {
    for (const frame of ANSWER_FRAMES) writeTo(response, frame);
    response.end();
  });
  const batches: number[] = [];
  const bursting = open(server.url);
  for await (const batch of await bursting.stream(HAIKU, REQUEST, options())) {
    batches.push(batch.length);
  }
  expect(batches.reduce((sum, size) => sum + size, 0)).toBe(ANSWER_FRAMES.length);
  expect(batches.length).toBeLessThanOrEqual(2);
  await server.close();
});

test('a slow reader holds the upstream back, and loses nothing', async () => {
  const flood = await startFlood(96 * MEBIBYTE);
  const slow = open(flood.url);
  const reader = iterator(await slow.stream(SONNET, REQUEST, options()));
  const first = await reader.next();
  await flood.blocked();
  expect(flood.bytesTaken()).toBeLessThan(48 * MEBIBYTE);
  let events = first.done === true ? 0 : first.value.length;
  for (;;) {
    const step = await reader.next();
    if (step.done === true) break;
    events += step.value.length;
  }
  expect(events).toBe(flood.events() + 1);
  await flood.close();
}, 20_000);

describe('connections', () => {
  test('are kept for the calls that follow', async () => {
    for (let call = 0; call < 5; call += 1) await caller.complete(HAIKU, REQUEST, options());
    const { open } = caller.connections()[HAIKU.region] ?? {};
    // The next call may come before the last connection is known to be free again.
    expect(open).toBeLessThanOrEqual(2);
  });

  test('are per region', async () => {
    await caller.complete(HAIKU, REQUEST, options());
    await caller.complete({ ...HAIKU, region: 'ap-northeast-3' }, REQUEST, options());
    expect(Object.keys(caller.connections())).toEqual(['ap-northeast-1', 'ap-northeast-3']);
  });

  test('that are refused are unavailability', async () => {
    const gone = await listenOnLoopback(() => undefined);
    await gone.close();
    await expect(open(gone.url).complete(HAIKU, REQUEST, options())).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });

  test('that are not made in time are unavailability', async () => {
    const silent = await listenInSilence();
    const impatient = open(silent.url, { connections: { ...SETTINGS, connectTimeoutMs: 200 } });
    await expect(impatient.complete(HAIKU, REQUEST, options())).rejects.toMatchObject({
      failure: 'unavailable',
    });
    silent.close();
  });

  test.each(['hang-before-headers', 'hang-after-metadata'] as const)(
    'that fall silent are unavailability: %s',
    async (script) => {
      const impatient = open(bedrock.url, {
        connections: { ...SETTINGS, socketTimeoutMs: 200 },
      });
      meet(script);
      const { error } = await receive(impatient.stream(HAIKU, REQUEST, options()));
      expect(error).toMatchObject({ failure: 'unavailable' });
    },
  );

  test('that are all taken make the next wait, then give up; more than may wait are refused', async () => {
    const few = { ...SETTINGS, maxConnections: 1, maxWaiting: 1, acquireTimeoutMs: 1_000 };
    const narrow = open(bedrock.url, { connections: few });
    meet('hang-before-headers');
    const running = narrow.complete(HAIKU, REQUEST, options());
    await sent();
    const waiting = narrow.complete(HAIKU, REQUEST, options());
    const refused = narrow.complete(HAIKU, REQUEST, options());
    await expect(refused).rejects.toMatchObject({ failure: 'no-connection' });
    expect(narrow.connections()[HAIKU.region]).toEqual({ open: 1, busy: 1, waiting: 1 });
    await expect(waiting).rejects.toMatchObject({ failure: 'no-connection' });
    controller.abort(REASON);
    await expect(running).rejects.toBe(REASON);
    expect(narrow.connections()[HAIKU.region]).toMatchObject({ busy: 0, waiting: 0 });
  });

  test('go to who waits longest, and not to who has left', async () => {
    const few = { ...SETTINGS, maxConnections: 1, acquireTimeoutMs: 5_000 };
    const narrow = open(bedrock.url, { connections: few });
    meet('hang-before-headers');
    const running = narrow.complete(HAIKU, REQUEST, options());
    await sent();
    const leaver = new AbortController();
    const left = narrow.complete(HAIKU, REQUEST, options(leaver.signal));
    const others = new AbortController();
    const served = narrow.complete(HAIKU, REQUEST, options(others.signal));
    leaver.abort(REASON);
    await expect(left).rejects.toBe(REASON);
    controller.abort(REASON);
    await expect(running).rejects.toBe(REASON);
    await expect(served).resolves.toMatchObject({ stopReason: 'end' });
    expect(bedrock.ledger()).toHaveLength(2);
  });

  test('that were closed serve nobody', async () => {
    await caller.complete(HAIKU, REQUEST, options());
    await caller.close();
    await expect(caller.complete(HAIKU, REQUEST, options())).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });
});

describe('credentials', () => {
  test('that AWS has called expired are asked for again', async () => {
    const server = await refuseOnce('ExpiredTokenException');
    let asked = 0;
    const renewing = open(server.url, {
      credentials: () => Promise.resolve({ ...CREDENTIALS, accessKeyId: `AKID${(asked += 1)}` }),
    });
    await expect(renewing.stream(HAIKU, REQUEST, options())).rejects.toMatchObject({
      failure: 'unavailable',
    });
    const { error } = await receive(renewing.stream(HAIKU, REQUEST, options()));
    expect({ error, asked }).toEqual({ error: undefined, asked: 2 });
    await server.close();
  });

  test('that nobody provides are ours to mend', async () => {
    const without = open(bedrock.url, {
      credentials: () => Promise.reject(new Error('no role')),
    });
    await expect(without.complete(HAIKU, REQUEST, options())).rejects.toMatchObject({
      failure: 'misconfigured',
    });
  });
});

test('a profile outside the catalogue is ours to mend', async () => {
  const nobody = { ...HAIKU, profile: 'constructor' };
  await expect(caller.stream(nobody, REQUEST, options())).rejects.toMatchObject({
    failure: 'misconfigured',
  });
});
