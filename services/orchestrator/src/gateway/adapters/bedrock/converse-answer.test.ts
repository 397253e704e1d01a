import { ModelCallError } from '../../ports';
import { readConverseAnswer } from './converse-answer';

const USAGE = { inputTokens: 3, outputTokens: 2, totalTokens: 10, cacheReadInputTokens: 5 };

function reply(content: unknown[], rest: object = {}): Buffer {
  const output = { message: { role: 'assistant', content } };
  return Buffer.from(JSON.stringify({ output, stopReason: 'end_turn', usage: USAGE, ...rest }));
}

test('an answer keeps its blocks in order and drops those the gateway has no words for', () => {
  const answer = readConverseAnswer(
    reply([
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } },
      { reasoningContent: { redactedContent: 'AAEC' } },
      { text: 'Yes.' },
      { weather: 'sunny' },
      { toolUse: { toolUseId: 't1', name: 'find', input: { q: [1, null] } } },
      { toolUse: { toolUseId: 't2', name: 'ping' } },
    ]),
  );
  expect(answer).toEqual({
    blocks: [
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
      { type: 'tool-use', id: 't1', name: 'find', inputJson: '{"q":[1,null]}' },
      { type: 'tool-use', id: 't2', name: 'ping', inputJson: '{}' },
    ],
    stopReason: 'end',
    usage: { inputTokens: 3, outputTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 0 },
  });
});

test.each([
  ['end_turn', 'end'],
  ['max_tokens', 'max-tokens'],
  ['model_context_window_exceeded', 'max-tokens'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-use'],
  ['content_filtered', 'filtered'],
  ['guardrail_intervened', 'filtered'],
  ['something_new', 'end'],
])('the stop reason %s is %s', (stopReason, expected) => {
  expect(readConverseAnswer(reply([], { stopReason })).stopReason).toBe(expected);
});

test.each([
  ['half a document', Buffer.from('{"output":{"mess')],
  ['nothing', Buffer.alloc(0)],
  ['no message', Buffer.from(JSON.stringify({ usage: USAGE }))],
  ['no usage', reply([], { usage: undefined })],
  ['null', Buffer.from('null')],
])('%s is a broken reply', (_, body) => {
  expect(() => readConverseAnswer(body)).toThrow(ModelCallError);
  expect(() => readConverseAnswer(body)).toThrow("Bedrock's reply is broken");
});
