import OpenAI from 'openai';

import type { ModelAnswer } from '../../model-event';
import { toChatCompletion } from './chat-completion';

const HEAD = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'jp.model' };
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 20 };
const answer = (
  blocks: ModelAnswer['blocks'],
  stopReason: ModelAnswer['stopReason'] = 'end',
): ModelAnswer => ({ blocks, stopReason, usage: USAGE });

test('an answer is a chat completion of OpenAI', () => {
  // The annotation is part of the fact: the body fits the official client's type.
  const completion: OpenAI.Chat.Completions.ChatCompletion = toChatCompletion(
    answer([{ type: 'text', text: 'Hello' }]),
    HEAD,
  );
  expect(completion).toEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'jp.model',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 130,
      completion_tokens: 5,
      total_tokens: 135,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  });
});

test('tool calls alone have no content', () => {
  const use = { type: 'tool-use', id: 't1', name: 'look_up', inputJson: '{"id":1}' } as const;
  const [choice] = toChatCompletion(answer([use], 'tool-use'), HEAD).choices;
  expect(choice).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [
        { id: 't1', type: 'function', function: { name: 'look_up', arguments: '{"id":1}' } },
      ],
    },
  });
});

test('thoughts stand apart, and their share of the tokens is not made up', () => {
  const { choices, usage } = toChatCompletion(
    answer([
      { type: 'thinking', text: 'Hm. ' },
      { type: 'text', text: 'Yes' },
    ]),
    HEAD,
  );
  expect(choices[0]?.message).toMatchObject({ reasoning_content: 'Hm. ', content: 'Yes' });
  expect(usage.completion_tokens_details).toEqual({});
});

test('the input of the answer tool is the content', () => {
  const use = { type: 'tool-use', id: 't1', name: 'answer', inputJson: '{"a":1}' } as const;
  const style = { answerTool: 'answer' };
  const [choice] = toChatCompletion(answer([use], 'tool-use'), { ...HEAD, style }).choices;
  expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: '{"a":1}' } });
  expect(choice?.message.tool_calls).toBeUndefined();
});

test('where one call was wanted, only the first is passed on', () => {
  const use = (id: string) => ({ type: 'tool-use', id, name: 'f', inputJson: '' }) as const;
  const style = { singleToolCall: true };
  const [choice] = toChatCompletion(answer([use('a'), use('b')], 'tool-use'), {
    ...HEAD,
    style,
  }).choices;
  expect(choice?.message.tool_calls).toEqual([
    { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
  ]);
});

test('an answer of nothing is an empty text', () => {
  expect(toChatCompletion(answer([]), HEAD).choices[0]?.message.content).toBe('');
});

test('the official client reads it', async () => {
  const body = toChatCompletion(answer([{ type: 'text', text: 'Hello' }]), HEAD);
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1:9/v1',
    fetch: () => Promise.resolve(Response.json(body)),
  });
  const completion = await client.chat.completions.create({ model: 'simple', messages: [] });
  expect(completion.choices[0]?.message.content).toBe('Hello');
});
