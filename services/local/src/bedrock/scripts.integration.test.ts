import { ConverseCommand } from '@aws-sdk/client-bedrock-runtime';

import { NASTY_TEXT } from './core/nasty-text';
import { BEDROCK_SCRIPTS } from './core/scripts';
import type { ScriptName, ScriptOptions } from './core/scripts';
import type { LedgerEntry } from './ledger';
import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import { eventually } from './test/eventually';
import { HAIKU, PROTOCOLS, question, receiveUntilEnd, sdkClient } from './test/sdk-clients';
import type { Protocol, Received } from './test/sdk-clients';

let standIn: BedrockStandIn;
beforeAll(async () => {
  standIn = await startBedrockStandIn({ pacing: 'instant' });
});
beforeEach(() => standIn.reset());
afterAll(() => standIn.close());

const TOKENS = 12;
const tools = {
  toolConfig: {
    tools: [{ toolSpec: { name: 'look_up', inputSchema: { json: { type: 'object' } } } }],
  },
};

interface Seen extends Received {
  readonly entry: LedgerEntry;
}

/** Lets one stream meet a script; with a patience, leaves it so long after it was accepted. */
async function meet(
  protocol: Protocol,
  options: ScriptOptions,
  patienceMs?: number,
): Promise<Seen> {
  standIn.script({ script: { tokens: TOKENS, ...options } });
  const leave = new AbortController();
  if (patienceMs !== undefined) {
    void accepted().then(() => setTimeout(() => leave.abort(), patienceMs));
  }
  const received = await receiveUntilEnd(
    sdkClient(standIn.url, { protocol }),
    question('What shall I read?', options.name === 'tool-use' ? tools : {}),
    { abortSignal: leave.signal },
  );
  const settled = (): LedgerEntry | undefined => standIn.ledger()[0];
  const entry = await eventually(settled, (found) => found?.outcome !== 'running');
  if (!entry) throw new Error('the ledger is empty');
  return { ...received, entry };
}

const accepted = () =>
  eventually(
    () => standIn.ledger().length,
    (calls) => calls > 0,
  );

type Expectation = (seen: Seen) => void;

const refusedAs =
  (name: string, status: number): Expectation =>
  ({ error, entry, events }) => {
    expect(error?.name).toBe(name);
    expect(error).toMatchObject({ $metadata: { httpStatusCode: status } });
    expect(events).toEqual([]);
    expect(entry).toMatchObject({ outcome: 'refused', status, error: name, tokensEmitted: 0 });
  };

const breaksOffAs =
  (name: string): Expectation =>
  ({ error, entry, textDeltas, usage }) => {
    expect(error?.name).toBe(name);
    expect(textDeltas).toBe(5);
    expect(usage).toBeUndefined();
    expect(entry).toMatchObject({ outcome: 'broken', status: 200, tokensEmitted: 5 });
    expect(entry.usageSent).toBeUndefined();
  };

const breaksWith =
  (message: RegExp): Expectation =>
  ({ error, entry, textDeltas }) => {
    expect(error?.message).toMatch(message);
    expect(textDeltas).toBe(5);
    expect(entry).toMatchObject({ outcome: 'broken', status: 200 });
  };

const whole: Expectation = ({ error, text, textDeltas, usage, entry }) => {
  expect(error).toBeUndefined();
  expect(textDeltas).toBe(TOKENS);
  expect(usage?.outputTokens).toBe(TOKENS);
  expect(entry).toMatchObject({ outcome: 'finished', tokensWritten: TOKENS, text });
};

const silent: Expectation = ({ error, textDeltas, entry }) => {
  expect(error?.name).toBe('AbortError');
  expect(textDeltas).toBe(0);
  expect(entry).toMatchObject({ outcome: 'aborted', tokensEmitted: 0 });
  expect(entry.peerClosedAtMs).toBeGreaterThan(entry.startedAtMs);
};

interface Case {
  readonly options?: Omit<ScriptOptions, 'name'>;
  readonly patienceMs?: number;
  readonly expectation: Expectation;
}

/** What the SDK sees of every script; a script without a line here does not compile. */
const CASES: Readonly<Record<ScriptName, Case>> = {
  ok: { expectation: whole },
  'tool-use': {
    expectation: ({ stopReason, events }) => {
      expect(stopReason).toBe('tool_use');
      const start = events.find(({ contentBlockStart }) => contentBlockStart);
      expect(start?.contentBlockStart?.start?.toolUse?.name).toBe('look_up');
    },
  },
  throttle: { expectation: refusedAs('ThrottlingException', 429) },
  'internal-error': { expectation: refusedAs('InternalServerException', 500) },
  'service-unavailable': { expectation: refusedAs('ServiceUnavailableException', 503) },
  'model-not-ready': { expectation: refusedAs('ModelNotReadyException', 429) },
  'model-timeout': { expectation: refusedAs('ModelTimeoutException', 408) },
  'model-error': { expectation: refusedAs('ModelErrorException', 424) },
  'access-denied': { expectation: refusedAs('AccessDeniedException', 403) },
  'bad-gateway-html': {
    expectation: ({ error, entry }) => {
      expect(error).toBeDefined();
      expect(entry).toMatchObject({ outcome: 'refused', status: 502 });
    },
  },
  'hang-before-headers': { patienceMs: 100, expectation: silent },
  'hang-after-metadata': {
    patienceMs: 100,
    expectation: ({ events, entry }) => {
      expect(events).toMatchObject([{ messageStart: { role: 'assistant' } }]);
      expect(entry).toMatchObject({ outcome: 'aborted', tokensEmitted: 0 });
    },
  },
  'slow-loris': {
    options: { bytesPerSecond: 200 },
    patienceMs: 400,
    expectation: ({ textDeltas, entry }) => {
      expect(entry.outcome).toBe('aborted');
      expect(entry.bytesWritten).toBeGreaterThan(0);
      expect(entry.bytesWritten).toBeLessThan(1_600);
      expect(textDeltas).toBeLessThanOrEqual(entry.tokensWritten);
    },
  },
  'trickle-metadata': {
    options: { everyMs: 10 },
    patienceMs: 400,
    expectation: ({ events, textDeltas, entry }) => {
      expect(events.length).toBeGreaterThan(2);
      expect(textDeltas).toBe(0);
      expect(entry).toMatchObject({ outcome: 'aborted', tokensEmitted: 0 });
    },
  },
  'thinking-pause': {
    options: { pauseMs: 120 },
    expectation: (seen) => {
      whole(seen);
      const { firstTokenAtMs = 0, startedAtMs } = seen.entry;
      expect(firstTokenAtMs - startedAtMs).toBeGreaterThanOrEqual(120);
    },
  },
  'stream-model-error': { expectation: breaksOffAs('ModelStreamErrorException') },
  'stream-throttling': { expectation: breaksOffAs('ThrottlingException') },
  'stream-internal-error': { expectation: breaksOffAs('InternalServerException') },
  'stream-service-unavailable': { expectation: breaksOffAs('ServiceUnavailableException') },
  'stream-validation': { expectation: breaksOffAs('ValidationException') },
  'wrong-prelude-crc': { expectation: breaksWith(/prelude checksum/) },
  'wrong-message-crc': { expectation: breaksWith(/message checksum/) },
  'truncated-frame': { expectation: breaksWith(/Truncated event message/) },
  'frame-length-2-31': { expectation: breaksWith(/Truncated event message|allocation/) },
  'header-overrun': { expectation: breaksWith(/DataView|length/) },
  'malformed-json': { expectation: breaksWith(/JSON/) },
  'unknown-event': { expectation: whole },
  'invalid-utf8': {
    expectation: ({ text, error, textDeltas }) => {
      expect(error).toBeUndefined();
      expect(text).toContain('\ufffd');
      expect(textDeltas).toBe(TOKENS);
    },
  },
  'duplicate-message-stop': {
    expectation: (seen) => {
      whole(seen);
      expect(seen.events.filter(({ messageStop }) => messageStop)).toHaveLength(2);
    },
  },
  'no-metadata': {
    expectation: ({ error, usage, textDeltas, entry }) => {
      expect({ error, usage, textDeltas }).toEqual({ textDeltas: TOKENS });
      expect(entry.outcome).toBe('finished');
      expect(entry.usageSent).toBeUndefined();
    },
  },
  'empty-stream': {
    expectation: ({ events, entry }) => {
      expect(events).toEqual([]);
      expect(entry).toMatchObject({ outcome: 'broken', status: 200 });
    },
  },
  'reset-before-headers': {
    expectation: ({ error, events, entry }) => {
      expect(error).toBeDefined();
      expect(error?.name).not.toBe('AbortError');
      expect(events).toEqual([]);
      expect(entry.outcome).toBe('broken');
    },
  },
  'reset-mid-frame': {
    expectation: ({ error, textDeltas, entry }) => {
      expect(error).toBeDefined();
      expect(error?.name).not.toBe('AbortError');
      expect(textDeltas).toBeLessThanOrEqual(5);
      expect(entry).toMatchObject({ outcome: 'broken', tokensEmitted: 6 });
    },
  },
  'reply-after-cancel': { expectation: whole },
  'nasty-text': {
    expectation: ({ text, error, entry }) => {
      expect(error).toBeUndefined();
      expect(text).toBe(NASTY_TEXT);
      expect(entry.text).toBe(NASTY_TEXT);
    },
  },
};

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test.each(BEDROCK_SCRIPTS)('$name: $description', async ({ name }) => {
    const { options = {}, patienceMs, expectation } = CASES[name];
    const seen = await meet(protocol, { ...options, name }, patienceMs);
    expect(seen.entry.script).toBe(name);
    expectation(seen);
  });

  test('a generation that ignores the cancel goes on to its last token, unheard', async () => {
    standIn.pace({ firstTokenMs: 5, tokensPerSecond: 50 });
    standIn.script({ script: { name: 'reply-after-cancel', tokens: 60 } });
    const leave = new AbortController();
    const received = await receiveUntilEnd(sdkClient(standIn.url, { protocol }), question('hi'), {
      abortSignal: leave.signal,
      onEvent: (count) => count === 4 && leave.abort(),
    });
    await eventually(
      () => standIn.overlap().running,
      (running) => running === 0,
    );
    expect(standIn.ledger()).toMatchObject([{ outcome: 'running' }]);
    const entry = await eventually(
      () => standIn.ledger()[0],
      (found) => found?.outcome === 'aborted',
    );
    standIn.pace('instant');

    expect(entry).toMatchObject({ tokensEmitted: 60 });
    expect(entry?.tokensWritten).toBeLessThan(60);
    expect(received.textDeltas).toBeLessThanOrEqual(entry?.tokensWritten ?? 0);
  });

  test.each([
    ['stream-throttling', 'ThrottlingException'],
    ['malformed-json', 'SyntaxError'],
  ] as const)('Converse meets %s as %s', async (name, error) => {
    standIn.script({ script: { name } });
    const client = sdkClient(standIn.url, { protocol });
    await expect(client.send(new ConverseCommand(question('hi')))).rejects.toMatchObject({
      name: error,
    });
  });

  test('Converse, reset in its middle, fails', async () => {
    standIn.script({ script: { name: 'reset-mid-frame' } });
    const client = sdkClient(standIn.url, { protocol });
    await expect(client.send(new ConverseCommand(question('hi')))).rejects.toThrow();
    expect(standIn.ledger()).toMatchObject([{ outcome: 'broken' }]);
  });
});

// A frame of two gibibytes makes the SDK reserve as much: too much for many at once.
const MIXABLE = BEDROCK_SCRIPTS.filter(({ name }) => name !== 'frame-length-2-31');

test('hundreds of calls under every script at once leave nothing open', async () => {
  const CALLS = 300;
  const CALLERS = 15;
  standIn.mix({
    seed: 20260704,
    weights: MIXABLE.map(({ name }) => ({
      script: { name, tokens: TOKENS, pauseMs: 20, everyMs: 5, bytesPerSecond: 20_000 },
      weight: 1,
    })),
  });
  let left = CALLS;
  const callAgain = async (_: unknown, index: number): Promise<void> => {
    const client = sdkClient(standIn.url, { protocol: PROTOCOLS[index % 2] ?? 'HTTP/2' });
    for (; left > 0; left -= 1) {
      const abortSignal = AbortSignal.timeout(200);
      await receiveUntilEnd(client, question('hi', tools), { abortSignal });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, callAgain));
  const running = () => standIn.ledger().filter(({ outcome }) => outcome === 'running').length;

  await eventually(running, (count) => count === 0);
  expect(standIn.overlap().running).toBe(0);
  expect(new Set(standIn.ledger().map(({ script }) => script)).size).toBe(MIXABLE.length);
  for (const entry of standIn.ledger()) {
    expect(entry.tokensWritten).toBeLessThanOrEqual(entry.tokensEmitted);
  }
}, 30_000);

test('a header chooses the script of its own request', async () => {
  const headers = {
    'x-standin-script': 'stream-throttling; afterTokens=2; tokens=9',
    'x-attempt-id': 'a1',
  };
  const { error, textDeltas } = await receiveUntilEnd(
    sdkClient(standIn.url, { headers }),
    question('hi'),
  );
  expect(error?.name).toBe('ThrottlingException');
  expect(textDeltas).toBe(2);
  expect(standIn.ledger()).toMatchObject([{ attemptId: 'a1', script: 'stream-throttling' }]);
});

test('a header that cannot be read is refused, not ignored', async () => {
  const headers = { 'x-standin-script': 'throtle' };
  const { error } = await receiveUntilEnd(sdkClient(standIn.url, { headers }), question('hi'));
  expect(error?.name).toBe('ValidationException');
});

test('a rule waits for the calls it names and is used up', async () => {
  standIn.script({ script: { name: 'throttle' }, times: 2, when: { promptContains: 'order 17' } });
  const client = sdkClient(standIn.url);
  const ask = async (text: string) => (await receiveUntilEnd(client, question(text))).error?.name;

  expect(await ask('order 18')).toBeUndefined();
  expect(await ask('order 17')).toBe('ThrottlingException');
  expect(await ask('order 17')).toBe('ThrottlingException');
  expect(await ask('order 17')).toBeUndefined();
});

test('a mix draws the same scripts again under the same seed', async () => {
  const client = sdkClient(standIn.url);
  const draw = async (seed: number): Promise<string[]> => {
    standIn.reset();
    standIn.mix({
      seed,
      weights: [
        { script: { name: 'ok' }, weight: 2 },
        { script: { name: 'throttle' }, weight: 1 },
        { script: { name: 'no-metadata' }, weight: 1 },
      ],
    });
    for (let call = 0; call < 20; call += 1) await receiveUntilEnd(client, question('hi'));
    return standIn.ledger().map(({ script }) => script);
  };

  const first = await draw(7);
  expect(new Set(first)).toEqual(new Set(['ok', 'throttle', 'no-metadata']));
  expect(await draw(7)).toEqual(first);
  expect(await draw(8)).not.toEqual(first);
});

test('a call of another model passes a rule by', async () => {
  standIn.script({
    script: { name: 'throttle' },
    when: { model: 'global.anthropic.claude-sonnet-5' },
  });
  const { error } = await receiveUntilEnd(
    sdkClient(standIn.url),
    question('hi', { modelId: HAIKU }),
  );
  expect(error).toBeUndefined();
});
