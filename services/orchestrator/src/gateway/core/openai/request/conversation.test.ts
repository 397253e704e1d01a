import {
  accepted,
  assistant,
  conversation,
  lookUp,
  refused,
  text,
  toolCall,
  toolCalls,
  toolResult,
  user,
} from '../test/samples';

const tools = [lookUp()];

function withTools(...messages: object[]) {
  return accepted({ messages, tools }).request.messages;
}

test('instructions go to the front, wherever they stood', () => {
  const { system, messages } = conversation({ role: 'system', content: 'Be brief.' }, user('Hi'), {
    role: 'developer',
    content: [text('Be kind.')],
  });
  expect(system).toEqual([text('Be brief.'), text('Be kind.')]);
  expect(messages).toEqual([{ role: 'user', content: [text('Hi')] }]);
});

test('what one side says in several messages becomes one turn', () => {
  const { messages } = conversation(
    user('One'),
    user('Two'),
    assistant('Three'),
    assistant('Four'),
    user('Five'),
  );
  expect(messages).toEqual([
    { role: 'user', content: [text('One'), text('Two')] },
    { role: 'assistant', content: [text('Three'), text('Four')] },
    { role: 'user', content: [text('Five')] },
  ]);
});

test('an assistant that greets first gets a user before it', () => {
  const { messages } = conversation(assistant('Welcome!'), user('Hi'));
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('instructions alone are asked as a question', () => {
  const { system, messages } = conversation({ role: 'system', content: 'Say hi.' });
  expect(system).toEqual([]);
  expect(messages).toEqual([{ role: 'user', content: [text('Say hi.')] }]);
});

test('blank texts are left out', () => {
  const { messages } = conversation(user([text(' \n'), text('Hi')]), assistant(''), user('there'));
  expect(messages).toEqual([{ role: 'user', content: [text('Hi'), text('there')] }]);
});

test.each([
  ['nothing but blanks', [user(' ')], 'messages[0]'],
  ['an assistant in the end', [user('Hi'), assistant('Well,')], 'messages[1]'],
  ['a blank user in the end', [user('Hi'), assistant('Well?'), user('')], 'messages[2]'],
])('a conversation with %s is refused', (_, messages, param) => {
  expect(refused({ messages }).error).toMatchObject({ param, code: 'unsupported_value' });
});

test('half a character becomes the replacement character', () => {
  const { messages } = conversation(user('cut \ud83d here'));
  expect(messages[0]?.content).toEqual([text('cut \ufffd here')]);
});

test('an assistant message without content, refusal or calls is refused', () => {
  expect(refused({ messages: [user('Hi'), assistant(null), user('?')] }).error).toMatchObject({
    param: 'messages.[1].content',
    message: "Invalid value for 'content': expected a string, got null.",
  });
});

test('a refusal is part of what the assistant said', () => {
  const { messages } = conversation(
    user('Hi'),
    assistant(null, { refusal: 'I cannot.' }),
    user('Why?'),
    assistant([{ type: 'refusal', refusal: 'Still not.' }]),
    user('Oh'),
  );
  expect(messages[1]?.content).toEqual([text('I cannot.')]);
  expect(messages[3]?.content).toEqual([text('Still not.')]);
});

test('thoughts that an assistant message brings back are not sent on', () => {
  const { messages } = conversation(
    user('Hi'),
    assistant('Hello', { reasoning_content: 'A greeting.' }),
    user('Bye'),
  );
  expect(messages[1]?.content).toEqual([text('Hello')]);
});

test('tool results stand in the user turn right after their calls, before what the user adds', () => {
  const messages = withTools(
    user('Compare'),
    assistant('Looking', { tool_calls: [toolCall('a', 'look_up', '{"id":1}'), toolCall('b')] }),
    toolResult('b', [text('two '), text('three')]),
    toolResult('a', 'one'),
    user('Go on'),
  );
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        text('Looking'),
        { type: 'tool-use', id: 'a', name: 'look_up', input: { id: 1 } },
        { type: 'tool-use', id: 'b', name: 'look_up', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool-result', id: 'b', text: 'two three', failed: false },
        { type: 'tool-result', id: 'a', text: 'one', failed: false },
        text('Go on'),
      ],
    },
  ]);
});

test('ids that a model would refuse are replaced on both sides', () => {
  const [, calls, results] = withTools(
    user('Go'),
    toolCalls('functions.look_up:0', 'call_0'),
    toolResult('functions.look_up:0'),
    toolResult('call_0'),
  );
  const ids = calls?.content.map((block) => ('id' in block ? block.id : ''));
  expect(ids).toEqual(results?.content.map((block) => ('id' in block ? block.id : '')));
  expect(new Set(ids).size).toBe(2);
  for (const id of ids ?? []) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
});

test('an id used again in a later turn is another id to the model', () => {
  const messages = withTools(
    user('Go'),
    toolCalls('x'),
    toolResult('x'),
    toolCalls('x'),
    toolResult('x'),
  );
  const ids = messages.flatMap(({ content }) => content.flatMap((b) => ('id' in b ? b.id : [])));
  expect(ids).toEqual(['x', 'x', 'call_1', 'call_1']);
});

test.each([
  [
    'a missing result',
    [user('Go'), toolCalls('a', 'b'), toolResult('a'), user('?')],
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: b",
    'messages.[1].role',
  ],
  [
    'a missing result in the end',
    [user('Go'), toolCalls('a')],
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: a",
    'messages.[1].role',
  ],
  [
    'a result twice',
    [user('Go'), toolCalls('a'), toolResult('a'), toolResult('a')],
    "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3].",
    'messages.[3].tool_call_id',
  ],
  [
    'a result without a call',
    [user('Go'), toolResult('a')],
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    'messages.[1].role',
  ],
  [
    'a result that comes late',
    [user('Go'), toolCalls('a'), toolResult('a'), user('Hm'), toolResult('a')],
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    'messages.[4].role',
  ],
  [
    'a result of another call',
    [user('Go'), toolCalls('a'), toolResult('z')],
    "Invalid parameter: 'tool_call_id' of 'z' not found in 'tool_calls' of previous message.",
    'messages.[2].tool_call_id',
  ],
  [
    'a call twice',
    [user('Go'), toolCalls('a', 'a')],
    "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[1] and messages[1].",
    'messages.[1].tool_calls[1].id',
  ],
])('%s is refused in the words of OpenAI', (_, messages, message, param) => {
  const { status, error } = refused({ messages, tools });
  expect(status).toBe(400);
  expect(error).toEqual({ message, type: 'invalid_request_error', param, code: null });
});

test.each([['{"a":'], ['[1]'], ['"text"'], ['null'], [`{"a":${'['.repeat(99)}${']'.repeat(99)}}`]])(
  'arguments %j are refused',
  (args) => {
    const calls = assistant(null, { tool_calls: [toolCall('a', 'look_up', args)] });
    expect(refused({ messages: [user('Go'), calls, toolResult('a')], tools }).error).toMatchObject({
      param: 'messages[1].tool_calls[0].function.arguments',
      code: 'invalid_value',
    });
  },
);

test('without tools on offer, earlier calls and results are retold as text', () => {
  const { messages, tools: offer } = conversation(
    user('Go'),
    assistant(null, { tool_calls: [toolCall('a', 'look_up', '{"id":1}')] }),
    toolResult('a', 'one'),
  );
  expect(offer).toBeUndefined();
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: [text('[Called look_up with {"id":1}]')] },
    { role: 'user', content: [text('[Result of look_up: one]')] },
  ]);
});

test('legacy function calls are refused, with what to use instead', () => {
  const call = assistant(null, { function_call: { name: 'f', arguments: '{}' } });
  expect(refused({ messages: [user('Go'), call] }).error).toMatchObject({
    param: 'messages[1].function_call',
    message: expect.stringContaining("Use 'tool_calls' instead.") as string,
  });
});
