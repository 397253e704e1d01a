import { ConverseCommand, CountTokensCommand } from '@aws-sdk/client-bedrock-runtime';
import type { ConverseStreamCommandInput, Message, Tool } from '@aws-sdk/client-bedrock-runtime';

import { countTokens } from './core/tokenizer';
import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import {
  HAIKU,
  PROTOCOLS,
  question,
  receive,
  receiveUntilEnd,
  sdkClient,
  SONNET,
} from './test/sdk-clients';

let standIn: BedrockStandIn;
beforeAll(async () => {
  standIn = await startBedrockStandIn({ pacing: 'instant' });
});
beforeEach(() => standIn.reset());
afterAll(() => standIn.close());

const LAST = -1;
const stockTool: Tool = {
  toolSpec: {
    name: 'check_stock',
    description: 'Looks up how many copies of a book are in stock.',
    inputSchema: {
      json: {
        type: 'object',
        properties: { title: { type: 'string' }, copies: { type: 'integer', minimum: 1 } },
        required: ['title', 'copies'],
      },
    },
  },
};

const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each(PROTOCOLS)('over %s', (protocol) => {
  const client = () => sdkClient(standIn.url, { protocol });

  test('a stream carries one token per delta and states its usage', async () => {
    const { events, text, textDeltas, stopReason, usage } = await receive(
      client(),
      question('おすすめの漫画は？'),
    );

    expect(events[0]?.messageStart?.role).toBe('assistant');
    expect(stopReason).toBe('end_turn');
    expect(textDeltas).toBe(countTokens(text));
    expect(usage?.outputTokens).toBe(textDeltas);
    expect(usage?.inputTokens).toBe(countTokens('おすすめの漫画は？') + 4);
    expect(events.at(LAST)?.metadata?.metrics?.latencyMs).toBeGreaterThan(0);
  });

  test('Converse gives the words that ConverseStream gives', async () => {
    const streamed = await receive(client(), question('Which series should I begin with?'));
    const whole = await client().send(
      new ConverseCommand(question('Which series should I begin with?')),
    );

    expect(whole.output?.message?.content).toEqual([{ text: streamed.text }]);
    expect(whole.usage).toEqual(streamed.usage);
    expect(whole.stopReason).toBe('end_turn');
  });

  test('the ledger knows every token and every word', async () => {
    const { text, usage } = await receive(client(), question('新刊はいつですか'));

    expect(standIn.ledger()).toMatchObject([
      {
        model: HAIKU,
        region: 'ap-northeast-1',
        outcome: 'finished',
        status: 200,
        script: 'ok',
        tokensEmitted: usage?.outputTokens,
        tokensWritten: usage?.outputTokens,
        inputTokens: usage?.inputTokens,
        text,
        usageSent: usage,
      },
    ]);
  });

  test('a tool is called with input streamed as JSON, and its result leads to words', async () => {
    const toolConfig = { tools: [stockTool] };
    const ask = question('How many copies of "Paper Moon" are in stock?', { toolConfig });
    const called = await receive(client(), ask);
    const start = called.events.find(({ contentBlockStart }) => contentBlockStart);
    const toolUse = start?.contentBlockStart?.start?.toolUse;

    expect(called.stopReason).toBe('tool_use');
    expect(toolUse?.name).toBe('check_stock');
    expect(JSON.parse(called.toolInput)).toMatchObject({ title: 'Paper Moon' });

    const turns: Message[] = [
      ...(ask.messages ?? []),
      {
        role: 'assistant',
        content: [
          { text: called.text },
          {
            toolUse: {
              toolUseId: toolUse?.toolUseId,
              name: 'check_stock',
              input: { title: 'Paper Moon', copies: 1 },
            },
          },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: toolUse?.toolUseId, content: [{ json: { copies: 7 } }] } },
        ],
      },
    ];
    const answered = await receive(client(), { modelId: HAIKU, messages: turns, toolConfig });
    expect(answered.stopReason).toBe('end_turn');
    expect(answered.text).toContain('{"copies":7}');
  });

  test('thoughts come first, signed, and count as output; a forged signature is refused', async () => {
    const thinking: Partial<ConverseStreamCommandInput> = {
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } },
      inferenceConfig: { maxTokens: 4_000 },
    };
    const first = await receive(client(), question('Why is it sold out?', thinking));

    expect(first.reasoning).not.toBe('');
    expect(first.usage?.outputTokens).toBe(countTokens(first.reasoning) + countTokens(first.text));

    const reply = (signature: string) =>
      receiveUntilEnd(client(), {
        ...question('Why is it sold out?', thinking),
        messages: [
          { role: 'user', content: [{ text: 'Why is it sold out?' }] },
          {
            role: 'assistant',
            content: [
              { reasoningContent: { reasoningText: { text: first.reasoning, signature } } },
              { text: first.text },
            ],
          },
          { role: 'user', content: [{ text: 'And tomorrow?' }] },
        ],
      });
    expect((await reply(first.signature)).error).toBeUndefined();
    expect((await reply('forged')).error?.name).toBe('ValidationException');
  });

  test('max_tokens ends an answer at exactly that many tokens', async () => {
    const { stopReason, textDeltas, usage } = await receive(
      client(),
      question('Tell me everything', { inferenceConfig: { maxTokens: 7 } }),
    );
    expect({ stopReason, textDeltas, output: usage?.outputTokens }).toEqual({
      stopReason: 'max_tokens',
      textDeltas: 7,
      output: 7,
    });
  });

  test('a stop sequence ends the answer before itself', async () => {
    const full = await receive(client(), question('Any news?'));
    const stop = full.text.slice(20, 26);
    const cut = await receive(
      client(),
      question('Any news?', {
        inferenceConfig: { maxTokens: 500, stopSequences: [stop] },
        additionalModelResponseFieldPaths: ['/stop_sequence'],
      }),
    );
    expect(cut.text).toBe(full.text.slice(0, full.text.indexOf(stop)));
    const stopped = cut.events.find(({ messageStop }) => messageStop)?.messageStop;
    expect(stopped).toEqual({
      stopReason: 'stop_sequence',
      additionalModelResponseFields: { stop_sequence: stop },
    });
  });

  test('a prefix is written to the prompt cache once and read from it after, per region', async () => {
    const cached = question('次の巻は？', {
      modelId: SONNET,
      system: [
        { text: 'あなたは書店の案内係です。'.repeat(200) },
        { cachePoint: { type: 'default', ttl: '1h' } },
      ],
    });
    const first = await receive(client(), cached);
    const second = await receive(client(), cached);
    const osaka = sdkClient(standIn.url, { protocol, region: 'ap-northeast-3' });
    const elsewhere = await receive(osaka, cached);

    expect(first.usage).toMatchObject({
      inputTokens: 9,
      cacheWriteInputTokens: 2_600,
      cacheReadInputTokens: 0,
      cacheDetails: [{ ttl: '1h', inputTokens: 2_600 }],
    });
    expect(second.usage).toMatchObject({ cacheWriteInputTokens: 0, cacheReadInputTokens: 2_600 });
    expect(elsewhere.usage).toMatchObject({ cacheReadInputTokens: 0 });
  });

  test('images count as input, and bytes that are none are refused', async () => {
    const withImage = (bytes: Uint8Array) =>
      receiveUntilEnd(client(), {
        modelId: HAIKU,
        messages: [
          {
            role: 'user',
            content: [{ image: { format: 'png', source: { bytes } } }, { text: 'だれ' }],
          },
        ],
      });
    expect((await withImage(onePixelPng)).usage?.inputTokens).toBe(4 + 1 + 2);
    expect((await withImage(Buffer.from('no image'))).error?.name).toBe('ValidationException');
  });

  test('JSON is answered where a schema or the words ask for it', async () => {
    const schema = {
      type: 'object',
      properties: { intent: { enum: ['order status', 'recommendation', 'returns'] } },
      required: ['intent'],
    };
    const structured = await receive(
      client(),
      question('Any recommendation for tonight?', {
        outputConfig: {
          textFormat: {
            type: 'json_schema',
            structure: { jsonSchema: { schema: JSON.stringify(schema) } },
          },
        },
      }),
    );
    const asked = await receive(
      client(),
      question('hello', { system: [{ text: 'Respond only with JSON.' }] }),
    );

    expect(JSON.parse(structured.text)).toEqual({ intent: 'recommendation' });
    expect(JSON.parse(asked.text)).toMatchObject({ answer: 'hello' });
  });

  test('the service tier and latency setting come back', async () => {
    const { events } = await receive(
      client(),
      question('hi', {
        serviceTier: { type: 'priority' },
        performanceConfig: { latency: 'optimized' },
      }),
    );
    expect(events.at(LAST)?.metadata).toMatchObject({
      serviceTier: { type: 'priority' },
      performanceConfig: { latency: 'optimized' },
    });
  });

  test('tokens are counted as they would be billed', async () => {
    const input = question('在庫はありますか', { system: [{ text: 'be brief' }] });
    const { usage } = await receive(client(), input);
    const counted = await client().send(
      new CountTokensCommand({
        modelId: HAIKU,
        input: { converse: { messages: input.messages, system: input.system } },
      }),
    );
    expect(counted.inputTokens).toBe(usage?.inputTokens);
  });
});

test('an answer cites what was retrieved, in the language of the question', async () => {
  const client = sdkClient(standIn.url);
  const system = [{ text: '<source id="1" title="海辺の貸本屋">静かな物語</source>' }];
  const japanese = await receive(client, question('静かな話はありますか', { system }));
  const english = await receive(client, question('Anything quiet?', { system }));

  expect(japanese.text).toContain('海辺の貸本屋');
  expect(english.text).toContain('海辺の貸本屋');
  expect(english.text).toMatch(/[a-z]{3}/);
});
