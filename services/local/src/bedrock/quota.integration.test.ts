import { manualClock } from '../clock/manual-clock';
import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import { HAIKU, question, receiveUntilEnd, sdkClient, SONNET } from './test/sdk-clients';

const PROVISIONED = 'arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/abc123def456';
const MINUTE_MS = 60_000;

const clock = manualClock(Date.UTC(2026, 6, 4));
let standIn: BedrockStandIn;
beforeAll(async () => {
  standIn = await startBedrockStandIn({ pacing: 'instant', answerTokens: 10, clock });
});
beforeEach(() => {
  standIn.reset();
  standIn.provision([]);
});
afterAll(() => standIn.close());

/** Asks once: 'hi' is five tokens of input, the answer ten. */
async function ask(maxTokens: number, rest: { modelId?: string; region?: string } = {}) {
  const client = sdkClient(standIn.url, { region: rest.region ?? 'ap-northeast-1' });
  const input = question('hi', { inferenceConfig: { maxTokens }, modelId: rest.modelId ?? HAIKU });
  const { error } = await receiveUntilEnd(client, input);
  return error ? `${error.name}: ${error.message}` : 'answered';
}

const TOO_MANY_TOKENS = 'ThrottlingException: Too many tokens, please wait before trying again.';

test('max_tokens is reserved, the output times burndown is charged', async () => {
  standIn.limit([{ model: HAIKU, tokensPerMinute: 1_000 }]);

  expect(await ask(996)).toBe(TOO_MANY_TOKENS);
  // Charged: 5 of input and 10 of output, five times each.
  expect(await ask(995)).toBe('answered');
  expect(await ask(945)).toBe(TOO_MANY_TOKENS);
  expect(await ask(940)).toBe('answered');
});

test('requests per minute are counted apart from tokens, and come back with time', async () => {
  standIn.limit([{ requestsPerMinute: 2 }]);
  expect(await ask(10)).toBe('answered');
  expect(await ask(10)).toBe('answered');
  expect(await ask(10)).toBe(
    'ThrottlingException: Too many requests, please wait before trying again.',
  );
  await clock.advance(MINUTE_MS / 2);
  expect(await ask(10)).toBe('answered');
});

test('every model in every region has its own quota', async () => {
  standIn.limit([{ requestsPerMinute: 1 }]);
  expect(await ask(10)).toBe('answered');
  expect(await ask(10, { region: 'ap-northeast-3' })).toBe('answered');
  expect(await ask(10, { modelId: SONNET })).toBe('answered');
  expect(await ask(10)).toMatch(/^ThrottlingException/);
});

test('a provisioned throughput has the capacity of its units, whatever is left on demand', async () => {
  standIn.limit([{ tokensPerMinute: 1 }]);
  const capacity = { arn: PROVISIONED, modelId: SONNET, tokensPerMinutePerUnit: 500 };
  standIn.provision([{ ...capacity, units: 2 }]);

  expect(await ask(10)).toBe(TOO_MANY_TOKENS);
  expect(await ask(995, { modelId: PROVISIONED })).toBe('answered');
  expect(await ask(995, { modelId: PROVISIONED })).toBe(TOO_MANY_TOKENS);
  standIn.provision([]);
  expect(await ask(10, { modelId: PROVISIONED })).toMatch(/^ResourceNotFoundException/);
});

test('a scripted throttle takes nothing from the quota', async () => {
  standIn.limit([{ requestsPerMinute: 1 }]);
  standIn.script({ script: { name: 'throttle' } });
  expect(await ask(10)).toMatch(/^ThrottlingException/);
  expect(await ask(10)).toBe('answered');
});
