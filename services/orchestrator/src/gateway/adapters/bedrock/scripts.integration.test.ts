import { BEDROCK_SCRIPTS, startBedrockStandIn } from '@matsuri/local';
import type { BedrockStandIn, LedgerEntry, ScriptName, ScriptOptions } from '@matsuri/local';

import type { ModelEvent } from '../../core/model-event';
import { ModelCallError } from '../../ports';
import type { ModelFailure } from '../../ports';
import type { BedrockCaller } from './bedrock-caller';
import { callerAt, HAIKU, question, receive } from './test/calls';
import { eventually } from './test/eventually';

/** How a call ends: with a whole answer, with a failure, or not before somebody aborts it. */
type Ending = 'whole' | 'silence' | ModelFailure;

const STREAM_ENDINGS: Readonly<Record<ScriptName, Ending>> = {
  ok: 'whole',
  'tool-use': 'whole',
  throttle: 'throttled',
  'internal-error': 'unavailable',
  'service-unavailable': 'unavailable',
  'model-not-ready': 'unavailable',
  'model-timeout': 'unavailable',
  'model-error': 'unavailable',
  'access-denied': 'misconfigured',
  'bad-gateway-html': 'unavailable',
  'hang-before-headers': 'silence',
  'hang-after-metadata': 'silence',
  'slow-loris': 'whole',
  'trickle-metadata': 'silence',
  'thinking-pause': 'whole',
  'stream-model-error': 'unavailable',
  'stream-throttling': 'throttled',
  'stream-internal-error': 'unavailable',
  'stream-service-unavailable': 'unavailable',
  'stream-validation': 'invalid-request',
  'wrong-prelude-crc': 'unavailable',
  'wrong-message-crc': 'unavailable',
  'truncated-frame': 'unavailable',
  'frame-length-2-31': 'unavailable',
  'header-overrun': 'unavailable',
  'unknown-event': 'whole',
  'invalid-utf8': 'whole',
  'malformed-json': 'unavailable',
  'duplicate-message-stop': 'whole',
  'no-metadata': 'whole',
  'empty-stream': 'unavailable',
  'reset-before-headers': 'unavailable',
  'reset-mid-frame': 'unavailable',
  'reply-after-cancel': 'whole',
  'nasty-text': 'whole',
};

// Whoever sums up an answer must be able to bill it.
const ANSWER_ENDINGS: Readonly<Record<ScriptName, Ending>> = {
  ...STREAM_ENDINGS,
  'no-metadata': 'unavailable',
};

const QUICK = { pauseMs: 20, everyMs: 5, bytesPerSecond: 1e7 };
const TOOLS = {
  choice: 'auto',
  tools: [{ name: 'find_title', inputSchema: { type: 'object', properties: {} } }],
} as const;
const REQUEST = question('Recommend something calm.', { tools: TOOLS });

let bedrock: BedrockStandIn;
let caller: BedrockCaller;

beforeAll(async () => {
  bedrock = await startBedrockStandIn({ pacing: 'instant' });
  caller = callerAt(bedrock.url);
});

afterAll(async () => {
  await caller.close();
  await bedrock.close();
});

function meet(name: ScriptName): void {
  bedrock.reset();
  const script: ScriptOptions = { name, ...QUICK };
  bedrock.script({ script });
}

async function ledgerEntry(): Promise<LedgerEntry> {
  const [entry] = await eventually(
    () => bedrock.ledger(),
    ([first]) => first !== undefined && first.outcome !== 'running',
  );
  if (!entry) throw new Error('nothing came');
  return entry;
}

/** Aborts once the call has reached the upstream. */
async function abortWhenSent(controller: AbortController, reason: Error): Promise<void> {
  await eventually(
    () => bedrock.ledger(),
    (entries) => entries.length > 0,
  );
  controller.abort(reason);
}

const NAMES = BEDROCK_SCRIPTS.map(({ name }) => name);

test.each(NAMES)('%s: a stream ends as it should', async (name) => {
  meet(name);
  const controller = new AbortController();
  const reason = new Error('enough');
  const reading = receive(
    caller.stream(HAIKU, REQUEST, { attemptId: name, signal: controller.signal }),
  );
  const ending = STREAM_ENDINGS[name];
  if (ending === 'silence') await abortWhenSent(controller, reason);
  const { events, text, error } = await reading;
  const entry = await ledgerEntry();

  if (ending === 'whole') expectWhole(name, events, text, entry);
  else if (ending === 'silence') expect(error).toBe(reason);
  else {
    expect(error).toBeInstanceOf(ModelCallError);
    expect(error).toMatchObject({ failure: ending });
    expect(entry.text.startsWith(text)).toBe(true);
  }
});

function expectWhole(
  name: ScriptName,
  events: readonly ModelEvent[],
  text: string,
  entry: LedgerEntry,
): void {
  expect(entry.outcome).toBe('finished');
  if (name === 'invalid-utf8') expect(text).toContain('\ufffd');
  else expect(text).toBe(entry.text);
  expect(events.filter(({ type }) => type === 'stop')).toHaveLength(1);
  expect(events.some(({ type }) => type === 'tool-start')).toBe(name === 'tool-use');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  expect(usage?.outputTokens).toBe(name === 'no-metadata' ? undefined : entry.tokensEmitted);
}

test.each(NAMES)('%s: a call that is not streamed ends as it should', async (name) => {
  meet(name);
  const controller = new AbortController();
  const reason = new Error('enough');
  const calling = caller
    .complete(HAIKU, REQUEST, { attemptId: name, signal: controller.signal })
    .catch((error: unknown) => error);
  const ending = ANSWER_ENDINGS[name];
  if (ending === 'silence') await abortWhenSent(controller, reason);
  const result = await calling;
  const entry = await ledgerEntry();

  if (ending === 'whole')
    expect(result).toMatchObject({ usage: { outputTokens: entry.tokensEmitted } });
  else if (ending === 'silence') expect(result).toBe(reason);
  else {
    expect(result).toBeInstanceOf(ModelCallError);
    expect(result).toMatchObject({ failure: ending });
  }
});

test('after all this every connection is idle or gone', async () => {
  await eventually(
    () => caller.connections()[HAIKU.region],
    (use) => use?.busy === 0 && use.waiting === 0,
  );
  expect(bedrock.overlap().running).toBe(0);
});

test('what Bedrock refuses for its name is ours to mend', async () => {
  const { signal } = new AbortController();
  const osakaOnly = { ...HAIKU, region: 'us-east-1' };
  await expect(
    caller.complete(osakaOnly, REQUEST, { attemptId: 'a', signal }),
  ).rejects.toMatchObject({ failure: 'misconfigured' });
});
