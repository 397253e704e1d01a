import fc from 'fast-check';
import OpenAI from 'openai';
import { Stream } from 'openai/streaming';

import type { ModelAnswer, ModelEvent } from '../../model-event';
import { refusal } from '../refusal/refusals';
import { anyAnswer, batches, eventsOf } from '../test/answer-arbitrary';
import { nastyText } from '../test/request-arbitrary';
import { toChatCompletion } from './chat-completion';
import { createChunkTranslator, type ChunkTranslatorOptions } from './chunk-translator';
import { DONE, HEARTBEAT } from './sse';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

const HEAD = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'jp.model', includeUsage: false };
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 20 };

function streamed(events: readonly ModelEvent[], options: Partial<ChunkTranslatorOptions> = {}) {
  const translator = createChunkTranslator({ ...HEAD, ...options });
  return translator.translate(events) + translator.end();
}

/** The chunks of a stream as a plain reader of lines sees them. */
function chunksOf(sse: string): Chunk[] {
  const events = sse.split('\n\n').filter((event) => event !== '' && event !== 'data: [DONE]');
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
}

const deltasOf = (sse: string) => chunksOf(sse).map(({ choices }) => choices[0]?.delta);

/** What the official client makes of a stream. */
async function decoded(sse: string): Promise<Chunk[]> {
  const stream = Stream.fromSSEResponse<Chunk>(new Response(sse), new AbortController());
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The whole answer, as the official client puts it together. */
async function assembled(sse: string): Promise<OpenAI.Chat.Completions.ChatCompletion> {
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1:9/v1',
    fetch: () =>
      Promise.resolve(new Response(sse, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const stream = client.chat.completions.stream({ model: 'simple', messages: [] });
  return await stream.finalChatCompletion();
}

const SAYS_HELLO: readonly ModelEvent[] = [
  { type: 'start' },
  { type: 'text', index: 0, text: 'Hel' },
  { type: 'text', index: 0, text: 'lo' },
  { type: 'block-stop', index: 0 },
  { type: 'stop', reason: 'end' },
  { type: 'usage', usage: USAGE },
];

test('a stream is role, content, finish and done', () => {
  const sse = streamed(SAYS_HELLO);
  expect(chunksOf(sse)).toEqual(
    [
      { delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null },
      { delta: { content: 'Hel' }, finish_reason: null },
      { delta: { content: 'lo' }, finish_reason: null },
      { delta: {}, finish_reason: 'stop' },
    ].map((choice) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'jp.model',
      choices: [{ index: 0, logprobs: null, ...choice }],
    })),
  );
  expect(sse.endsWith(DONE)).toBe(true);
});

test('a batch gives the same text as its events one by one', () => {
  const translator = createChunkTranslator(HEAD);
  const one = SAYS_HELLO.map((event) => translator.translate([event])).join('') + translator.end();
  expect(one).toBe(streamed(SAYS_HELLO));
});

test('usage comes last and alone, and only when asked for; until then it is null', () => {
  const chunks = chunksOf(streamed(SAYS_HELLO, { includeUsage: true }));
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: {
      prompt_tokens: 130,
      completion_tokens: 5,
      total_tokens: 135,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  expect(chunksOf(streamed(SAYS_HELLO)).every((chunk) => !('usage' in chunk))).toBe(true);
});

test('usage the model did not tell can be given', () => {
  const translator = createChunkTranslator({ ...HEAD, includeUsage: true });
  translator.translate([{ type: 'stop', reason: 'end' }]);
  expect(chunksOf(translator.end(USAGE)).at(-1)?.usage?.completion_tokens).toBe(5);
});

test('tool calls are numbered among themselves: first the name, then the arguments', () => {
  const sse = streamed([
    { type: 'text', index: 0, text: 'Looking' },
    { type: 'tool-start', index: 1, id: 't1', name: 'look_up' },
    { type: 'tool-input', index: 1, json: '{"id":' },
    { type: 'tool-input', index: 1, json: '1}' },
    { type: 'block-stop', index: 1 },
    { type: 'tool-start', index: 2, id: 't2', name: 'order' },
    { type: 'block-stop', index: 2 },
    { type: 'stop', reason: 'tool-use' },
  ]);
  expect(deltasOf(sse).slice(2, -1)).toEqual([
    {
      tool_calls: [
        { index: 0, id: 't1', type: 'function', function: { name: 'look_up', arguments: '' } },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"id":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
    {
      tool_calls: [
        { index: 1, id: 't2', type: 'function', function: { name: 'order', arguments: '' } },
      ],
    },
    // A tool called without input still has arguments that parse.
    { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
  ]);
  expect(chunksOf(sse).at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
});

test('thoughts have a field of their own', () => {
  const sse = streamed([
    { type: 'thinking', index: 0, text: 'Hm' },
    { type: 'stop', reason: 'end' },
  ]);
  expect(deltasOf(sse)[1]).toEqual({ reasoning_content: 'Hm' });
});

test('the answer tool speaks as content and ends like an answer', () => {
  const sse = streamed(
    [
      { type: 'tool-start', index: 0, id: 't1', name: 'answer_in_json' },
      { type: 'tool-input', index: 0, json: '{"a":1}' },
      { type: 'block-stop', index: 0 },
      { type: 'stop', reason: 'tool-use' },
    ],
    { style: { answerTool: 'answer_in_json' } },
  );
  expect(deltasOf(sse)[1]).toEqual({ content: '{"a":1}' });
  expect(chunksOf(sse).at(-1)?.choices[0]?.finish_reason).toBe('stop');
});

test('where one call was wanted, further ones are not passed on', () => {
  const call = (index: number): ModelEvent[] => [
    { type: 'tool-start', index, id: `t${index}`, name: 'look_up' },
    { type: 'tool-input', index, json: '{}' },
    { type: 'block-stop', index },
  ];
  const events: ModelEvent[] = [...call(0), ...call(1), { type: 'stop', reason: 'tool-use' }];
  const sse = streamed(events, { style: { singleToolCall: true } });
  expect(sse).toContain('"t0"');
  expect(sse).not.toContain('"t1"');
});

test.each([
  ['end', 'stop'],
  ['stop-sequence', 'stop'],
  ['max-tokens', 'length'],
  ['filtered', 'content_filter'],
] as const)('the stop %s is the finish %s', (reason, finish) => {
  const chunks = chunksOf(streamed([{ type: 'stop', reason }]));
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe(finish);
});

test('a second stop and what follows the first are not passed on', () => {
  const late: ModelEvent[] = [
    { type: 'text', index: 1, text: 'late' },
    { type: 'stop', reason: 'max-tokens' },
  ];
  expect(streamed([...SAYS_HELLO, ...late])).toBe(streamed(SAYS_HELLO));
});

test('events that say nothing give no text', () => {
  const translator = createChunkTranslator(HEAD);
  expect(translator.translate([{ type: 'start' }, { type: 'text', index: 0, text: '' }])).toBe('');
});

test('a failure in the middle is an error event without an end, which the official client throws', async () => {
  const translator = createChunkTranslator(HEAD);
  const begun = translator.translate(SAYS_HELLO.slice(0, 3));
  const failed = translator.fail(refusal('answer-cut', { subject: 'jp.model' }));
  expect(failed).not.toContain('[DONE]');
  expect(
    translator.end() + translator.translate(SAYS_HELLO) + translator.fail(refusal('internal')),
  ).toBe('');
  await expect(decoded(begun + failed)).rejects.toMatchObject({
    code: 'upstream_error',
    type: 'server_error',
  });
});

test('an answer that ends without a stop is reported as cut', async () => {
  const translator = createChunkTranslator(HEAD);
  const sse = translator.translate(SAYS_HELLO.slice(0, 3)) + translator.end();
  expect(sse).not.toContain('[DONE]');
  await expect(decoded(sse)).rejects.toThrow('broke off');
});

test('heartbeats are unseen by the official client, before and within a stream', async () => {
  const translator = createChunkTranslator(HEAD);
  const parts = SAYS_HELLO.map((event) => HEARTBEAT + translator.translate([event]));
  const chunks = await decoded(HEARTBEAT + parts.join(HEARTBEAT) + HEARTBEAT + translator.end());
  expect(chunks).toEqual(chunksOf(streamed(SAYS_HELLO)));
});

test('no text of a model can leave its event, for readers of any kind of line', () => {
  fc.assert(
    fc.property(fc.array(nastyText, { maxLength: 8 }), (texts) => {
      const events = texts.flatMap((text, index): ModelEvent[] => [
        { type: 'text', index, text },
        { type: 'thinking', index, text },
        { type: 'tool-start', index, id: text, name: text },
        { type: 'tool-input', index, json: text },
      ]);
      const sse = streamed([...events, { type: 'stop', reason: 'end' }], {
        model: texts[0] ?? 'm',
      });
      const lines = sse.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
      const data = lines.filter((line) => line !== '');
      expect(data.every((line) => line.startsWith('data: '))).toBe(true);
      expect(data.filter((line) => line === 'data: [DONE]')).toEqual([data.at(-1)]);
      expect(sse.isWellFormed()).toBe(true);
      const said = chunksOf(sse).map(({ choices }) => choices[0]?.delta.content ?? '');
      expect(said.join('')).toBe(texts.join(''));
    }),
    { numRuns: 500 },
  );
});

test('the official client puts a stream together as it reads the whole answer', async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, batches, async (answer: ModelAnswer, sizes) => {
      const translator = createChunkTranslator({ ...HEAD, includeUsage: true });
      let sse = '';
      for (const batch of sizes(eventsOf(answer))) sse += translator.translate(batch);
      const { choices, usage, model } = await assembled(sse + translator.end());
      const whole = toChatCompletion(answer, HEAD);
      const message = whole.choices[0]?.message;
      expect(choices[0]?.message.content ?? '').toBe(message?.content ?? '');
      expect(choices[0]?.message.tool_calls ?? []).toMatchObject(message?.tool_calls ?? []);
      expect(choices[0]?.finish_reason).toBe(whole.choices[0]?.finish_reason);
      expect(usage).toEqual(whole.usage);
      expect(model).toBe(whole.model);
    }),
    { numRuns: 100 },
  );
});
