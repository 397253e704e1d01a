import {
  ApplyGuardrailCommand,
  ConverseCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import type { ConverseCommandInput } from '@aws-sdk/client-bedrock-runtime';
import { z } from 'zod';

import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import { COHERE, HAIKU, question, sdkClient, SONNET, TITAN } from './test/sdk-clients';

const PROVISIONED = 'arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/abc123def456';
const CREATING = 'arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/notyet000000';

let standIn: BedrockStandIn;
beforeAll(async () => {
  const capacity = {
    modelId: 'anthropic.claude-sonnet-5',
    units: 1,
    tokensPerMinutePerUnit: 10_000,
  };
  standIn = await startBedrockStandIn({
    pacing: 'instant',
    provisioned: [
      { arn: PROVISIONED, ...capacity },
      { arn: CREATING, ...capacity, status: 'Creating' },
    ],
  });
});
beforeEach(() => standIn.reset());
afterAll(() => standIn.close());

const refusal = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({ httpStatusCode: z.number(), requestId: z.string() }),
});

async function refusalOf(input: Partial<ConverseCommandInput>, region?: string) {
  const client = sdkClient(standIn.url, region === undefined ? {} : { region });
  try {
    await client.send(new ConverseCommand({ ...question('hi'), ...input }));
    return 'accepted';
  } catch (cause) {
    const { name, message, $metadata } = refusal.parse(cause);
    return `${$metadata.httpStatusCode} ${name}: ${message}`;
  }
}

test.each([
  ['an unknown model', { modelId: 'anthropic.claude-9' }, /^404 ResourceNotFoundException/],
  [
    'a name that is no model id',
    { modelId: 'gpt-4' },
    /^400 ValidationException: The provided model/,
  ],
  [
    'a bare id that needs a profile',
    { modelId: 'anthropic.claude-sonnet-5' },
    /^400 ValidationException: .*on-demand throughput isn’t supported/,
  ],
  [
    'a provisioned throughput nobody bought',
    { modelId: PROVISIONED.replace('abc', 'xyz') },
    /^404 ResourceNotFoundException/,
  ],
  ['a provisioned throughput in creation', { modelId: CREATING }, /^429 ModelNotReadyException/],
  ['an embedding model', { modelId: TITAN }, /^400 ValidationException/],
  [
    'no message',
    { messages: [] },
    /^400 ValidationException: A conversation must start with a user message/,
  ],
  ['two turns of one side', { messages: [user('a'), user('b')] }, /must alternate/],
  [
    'a message without content',
    { messages: [{ role: 'user', content: [] }] },
    /messages\.0 is empty/,
  ],
  ['blank text', { messages: [user('  ')] }, /messages\.0\.content\.0 is blank/],
  [
    'a prefill the model cannot take',
    { modelId: SONNET, messages: [user('a'), { role: 'assistant', content: [{ text: '{' }] }] },
    /prefill/,
  ],
  [
    'more tokens than the model has',
    { inferenceConfig: { maxTokens: 64_001 } },
    /exceeds the model limit of 64000/,
  ],
  [
    'no tokens at all',
    { inferenceConfig: { maxTokens: 0 } },
    /^400 ValidationException: 1 validation error detected: Value at 'inferenceConfig\.maxTokens'/,
  ],
  [
    'a temperature above one',
    { inferenceConfig: { temperature: 1.5 } },
    /inferenceConfig\.temperature/,
  ],
  [
    'both temperature and topP',
    { inferenceConfig: { temperature: 0.5, topP: 0.5 } },
    /cannot both be specified/,
  ],
  ['a prompt over the context', { messages: [user('漫'.repeat(200_001))] }, /Input is too long/],
  [
    'thinking of a kind the model lacks',
    { additionalModelRequestFields: { thinking: { type: 'adaptive' } } },
    /thinking\.type\.adaptive/,
  ],
  [
    'a thinking budget over the answer',
    { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2_000 } } },
    /greater than `thinking\.budget_tokens`/,
  ],
  [
    'a tool result without a tool',
    {
      messages: [
        { role: 'user', content: [{ toolResult: { toolUseId: 'x', content: [{ text: 'y' }] } }] },
      ],
    },
    /toolConfig field must be defined/,
  ],
  [
    'five cache points',
    {
      system: Array.from({ length: 5 }, () => [
        { text: 'a' },
        { cachePoint: { type: 'default' as const } },
      ]).flat(),
    },
    /maximum of 4 cache points/,
  ],
  [
    'a guardrail',
    { guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1' } },
    /^501 NotImplementedException: .*guardrailConfig/,
  ],
] satisfies [string, Partial<ConverseCommandInput>, RegExp][])(
  '%s is refused',
  async (_, input, expected) => {
    expect(await refusalOf(input)).toMatch(expected);
    expect(standIn.ledger()).toMatchObject([{ outcome: 'refused', tokensEmitted: 0 }]);
  },
);

function user(text: string) {
  return { role: 'user' as const, content: [{ text }] };
}

test.each([
  ['an inference profile', HAIKU],
  [
    'the ARN of a profile',
    `arn:aws:bedrock:ap-northeast-1:123456789012:inference-profile/${SONNET}`,
  ],
  ['a provisioned throughput', PROVISIONED],
])('%s is served', async (_, modelId) => {
  expect(await refusalOf({ modelId })).toBe('accepted');
});

test('a Japanese profile is not known in Virginia, a global one is', async () => {
  expect(await refusalOf({}, 'us-east-1')).toMatch(/^400 ValidationException/);
  expect(await refusalOf({ modelId: 'global.anthropic.claude-sonnet-5' }, 'us-east-1')).toBe(
    'accepted',
  );
});

test('operations that are not emulated say so', async () => {
  const client = sdkClient(standIn.url);
  const notImplemented = { name: 'NotImplementedException', $metadata: { httpStatusCode: 501 } };
  const body = JSON.stringify({ messages: [] });
  const stream = new InvokeModelWithResponseStreamCommand({ modelId: HAIKU, body });
  const guardrail = new ApplyGuardrailCommand({
    guardrailIdentifier: 'g',
    guardrailVersion: '1',
    source: 'INPUT',
    content: [],
  });

  await expect(client.send(stream)).rejects.toMatchObject(notImplemented);
  await expect(client.send(guardrail)).rejects.toMatchObject(notImplemented);
  await expect(client.send(new InvokeModelCommand({ modelId: HAIKU, body }))).rejects.toMatchObject(
    { name: 'ValidationException' },
  );
});

test.each([
  ['embeddings of no text', TITAN, { inputText: '' }],
  ['embeddings of an odd length', TITAN, { inputText: 'a', dimensions: 300 }],
  ['embeddings without their purpose', COHERE, { texts: ['a'] }],
])('%s are refused', async (_, modelId, body) => {
  const command = new InvokeModelCommand({ modelId, body: JSON.stringify(body) });
  await expect(sdkClient(standIn.url).send(command)).rejects.toMatchObject({
    name: 'ValidationException',
  });
});

test.each([
  ['no signature', {}, 403, 'MissingAuthenticationTokenException'],
  ['a bearer token', { authorization: 'Bearer abc' }, 403, 'IncompleteSignatureException'],
])('%s is refused in the shape of AWS', async (_, headers, status, code) => {
  const path = `/model/${encodeURIComponent(HAIKU)}/converse`;
  const response = await fetch(standIn.url + path, { method: 'POST', headers, body: '{}' });

  expect(response.status).toBe(status);
  expect(response.headers.get('x-amzn-errortype')).toBe(code);
  expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await response.json()).toMatchObject({ message: expect.any(String) as string });
});

test('a path that is no operation is answered', async () => {
  const response = await fetch(`${standIn.url}/nowhere`);
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([
    404,
    'UnknownOperationException',
  ]);
});

test('a body that is no JSON is a SerializationException', async () => {
  const scope = 'AKIDEXAMPLE/20260704/ap-northeast-1/bedrock/aws4_request';
  const signature = `SignedHeaders=host;x-amz-date, Signature=${'ab'.repeat(32)}`;
  const response = await fetch(`${standIn.url}/model/${encodeURIComponent(HAIKU)}/converse`, {
    method: 'POST',
    headers: {
      'x-amz-date': '20260704T000000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, ${signature}`,
    },
    body: '{"messages":',
  });
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([
    400,
    'SerializationException',
  ]);
});
