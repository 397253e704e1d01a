import { ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import type { BedrockRuntimeClient, ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { startBedrockStandIn } from '@matsuri/local';
import type { BedrockStandIn } from '@matsuri/local';
import fc from 'fast-check';

import type { ModelEvent } from '../../core/model-event';
import type { ModelRequest } from '../../core/model-request';
import type { CallTarget } from '../../ports';
import type { BedrockCaller } from './bedrock-caller';
import { callerAt, HAIKU, question, receive, SONNET, TOKYO } from './test/calls';
import { conversation } from './test/conversations';
import { startRecordingRelay } from './test/recording-relay';
import type { RecordingRelay } from './test/recording-relay';
import { modelAnswer, modelEvents, sdkClient, sdkInput } from './test/sdk-reference';

const ARN = `arn:aws:bedrock:${TOKYO}:123456789012:provisioned-model/abc123def456`;
const PROVISIONED: CallTarget = { ...SONNET, provisionedArn: ARN };
const { signal } = new AbortController();
const OPTIONS = { attemptId: 'parity', signal };

let bedrock: BedrockStandIn;
let relay: RecordingRelay;
let caller: BedrockCaller;
let sdk: BedrockRuntimeClient;

beforeAll(async () => {
  const provisioned = { arn: ARN, modelId: SONNET.profile, units: 1, tokensPerMinutePerUnit: 1e9 };
  bedrock = await startBedrockStandIn({ pacing: 'instant', provisioned: [provisioned] });
  relay = await startRecordingRelay(bedrock.url);
  caller = callerAt(relay.url);
  sdk = sdkClient(relay.url, TOKYO);
});

afterAll(async () => {
  sdk.destroy();
  await caller.close();
  await relay.close();
  await bedrock.close();
});

/** Both ask the same; the wire must show the same, and so must the answers. */
async function compareStreams(
  target: CallTarget,
  request: ModelRequest,
  extra: Partial<ConverseCommandInput> = {},
): Promise<readonly ModelEvent[]> {
  startAfresh();
  const ours = await receive(caller.stream(target, request, OPTIONS));
  expect(ours.error).toBeUndefined();
  bedrock.reset();
  const sdks: ModelEvent[] = [];
  const { stream } = await sdk.send(
    new ConverseStreamCommand({ ...sdkInput(target, request), ...extra }),
  );
  for await (const event of stream ?? []) sdks.push(...modelEvents(event));
  expect(ours.events).toEqual(sdks);
  expectSameWire();
  return ours.events;
}

function startAfresh(): void {
  bedrock.reset();
  relay.take();
}

function expectSameWire(): void {
  const [ours, sdks] = relay.take();
  expect(ours?.path).toBe(sdks?.path);
  expect(ours?.body).toEqual(sdks?.body);
  expect(ours?.headers['content-type']).toBe(sdks?.headers['content-type']);
}

const target = fc.constantFrom(HAIKU, SONNET, PROVISIONED);

test('a stream asks for and brings what the SDK asks for and brings', async () => {
  await fc.assert(
    fc.asyncProperty(target, conversation, async (to, request) => {
      await compareStreams(to, request);
    }),
    { numRuns: 100 },
  );
}, 60_000);

test('a whole answer asks for and brings what the SDK asks for and brings', async () => {
  await fc.assert(
    fc.asyncProperty(target, conversation, async (to, request) => {
      startAfresh();
      const ours = await caller.complete(to, request, OPTIONS);
      bedrock.reset();
      const sdks = await sdk.send(new ConverseCommand(sdkInput(to, request)));
      expect(ours).toEqual(modelAnswer(sdks));
      expectSameWire();
    }),
    { numRuns: 100 },
  );
}, 60_000);

test('thinking with a budget', async () => {
  const request = question('Think about calm manga.', {
    thinking: { effort: 'low' },
    maxTokens: 8_000,
  });
  const thinking = { type: 'enabled', budget_tokens: 1_600 };
  const events = await compareStreams(HAIKU, request, {
    additionalModelRequestFields: { thinking },
  });
  expect(events.some(({ type }) => type === 'thinking')).toBe(true);
});

test('thinking left to the model', async () => {
  const request = question('Think about calm manga.', { thinking: { effort: 'high' } });
  const events = await compareStreams(SONNET, request, {
    additionalModelRequestFields: {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    },
  });
  expect(events.some(({ type }) => type === 'thinking')).toBe(true);
});

test('what the prompt cache wrote and read is in the usage', async () => {
  const request = question('And now?', {
    system: [
      { type: 'text', text: 'A long story about the sea. '.repeat(400) },
      { type: 'cache-point', ttl: '1h' },
    ],
  });
  await compareStreams(SONNET, request);
  bedrock.reset();
  const { usage: first } = await caller.complete(SONNET, request, OPTIONS);
  const { usage: second } = await caller.complete(SONNET, request, OPTIONS);
  expect(first.cacheWriteTokens).toBeGreaterThan(1_024);
  expect(first.cacheWriteOneHourTokens).toBe(first.cacheWriteTokens);
  const { cacheWriteOneHourTokens: _, ...rest } = first;
  expect(second).toEqual({
    ...rest,
    cacheReadTokens: first.cacheWriteTokens,
    cacheWriteTokens: 0,
  });
});

test('the attempt is known upstream by its id, the call by its region', async () => {
  const osaka = { ...HAIKU, region: 'ap-northeast-3' };
  startAfresh();
  await caller.complete(osaka, question('Hello'), { attemptId: 'attempt-7', signal });
  expect(bedrock.ledger()).toMatchObject([
    { attemptId: 'attempt-7', region: 'ap-northeast-3', outcome: 'finished' },
  ]);
});
