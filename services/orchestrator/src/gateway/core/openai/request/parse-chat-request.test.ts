import { accepted, OPTIONS, refused, user } from '../test/samples';
import { parseChatRequest } from './parse-chat-request';

test('a plain request is understood with the defaults', () => {
  expect(accepted()).toEqual({
    ok: true,
    request: {
      model: 'simple',
      system: [],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      maxTokens: 1_024,
    },
    stream: false,
    includeUsage: false,
    style: {},
  });
});

test('null means unset, for every parameter', () => {
  const names = [
    ...['stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'temperature', 'top_p'],
    ...[
      'stop',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'response_format',
      'reasoning_effort',
    ],
    ...['service_tier', 'n', 'logprobs', 'logit_bias', 'modalities', 'audio', 'functions', 'user'],
    ...['metadata', 'prediction', 'web_search_options', 'prompt_cache_options', 'verbosity'],
  ];
  const unset = Object.fromEntries(names.map((name) => [name, null]));
  expect(accepted(unset)).toEqual(accepted());
});

test.each([
  ['user', 'u-1'],
  ['safety_identifier', 'u-1'],
  ['metadata', { shop: 'kanda' }],
  ['store', true],
  ['seed', 7],
  ['prompt_cache_key', 'k'],
  ['prompt_cache_retention', '24h'],
  ['n', 1],
  ['frequency_penalty', 0],
  ['presence_penalty', -0],
  ['logprobs', false],
  ['top_logprobs', 0],
  ['logit_bias', {}],
  ['modalities', ['text']],
  ['verbosity', 'medium'],
])('%s changes nothing', (name, value) => {
  expect(accepted({ [name]: value })).toEqual(accepted());
});

test.each([
  ['n', 2, 'unsupported_value'],
  ['n', '1', 'unsupported_value'],
  ['frequency_penalty', 0.5, 'unsupported_value'],
  ['presence_penalty', -1, 'unsupported_value'],
  ['logprobs', true, 'unsupported_value'],
  ['top_logprobs', 3, 'unsupported_value'],
  ['logit_bias', { 50256: -100 }, 'unsupported_value'],
  ['modalities', ['text', 'audio'], 'unsupported_value'],
  ['verbosity', 'low', 'unsupported_value'],
  ['audio', { voice: 'alloy' }, 'unsupported_parameter'],
  ['prediction', { type: 'content', content: '' }, 'unsupported_parameter'],
  ['moderation', { model: 'm' }, 'unsupported_parameter'],
  ['web_search_options', {}, 'unsupported_parameter'],
  ['functions', [], 'unsupported_parameter'],
  ['function_call', 'auto', 'unsupported_parameter'],
  ['top_k', 40, 'unknown_parameter'],
  ['constructor', 1, 'unknown_parameter'],
  ['toString', 1, 'unknown_parameter'],
])('%s = %j would change the meaning: it is refused by name', (name, value, code) => {
  expect(refused({ [name]: value })).toMatchObject({
    status: 400,
    error: { type: 'invalid_request_error', param: name, code },
  });
});

test('a key called __proto__ is an unknown parameter and pollutes nothing', () => {
  const body: unknown = JSON.parse('{"model":"simple","messages":[],"__proto__":{"polluted":1}}');
  expect(parseChatRequest(body, OPTIONS)).toMatchObject({
    error: { error: { param: '__proto__', code: 'unknown_parameter' } },
  });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const messageTo = (content: unknown) => ({ messages: [{ role: 'user', content }] });

test.each<[object, string, string]>([
  [{ model: undefined }, "Missing required parameter: 'model'.", 'missing_required_parameter'],
  [
    { messages: undefined },
    "Missing required parameter: 'messages'.",
    'missing_required_parameter',
  ],
  [
    { messages: [] },
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    'empty_array',
  ],
  [
    { messages: 'Hi' },
    "Invalid type for 'messages': expected an array, but got a string instead.",
    'invalid_type',
  ],
  [
    { messages: Array.from({ length: 2_049 }, () => user('Hi')) },
    "Invalid 'messages': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead.",
    'array_above_max_length',
  ],
  [
    { messages: [{ role: 'function', content: '' }] },
    "Invalid value: 'function'. Supported values are: 'system', 'developer', 'user', 'assistant', and 'tool'.",
    'invalid_value',
  ],
  [
    { messages: [{ content: 'Hi' }] },
    "Missing required parameter: 'messages[0].role'.",
    'missing_required_parameter',
  ],
  [
    messageTo(5),
    "Invalid type for 'messages[0].content': expected one of a string or an array, but got an integer instead.",
    'invalid_type',
  ],
  [
    messageTo([{ type: 'input_audio' }]),
    "Invalid value: 'input_audio'. Supported values are: 'text' and 'image_url'.",
    'invalid_value',
  ],
  [
    messageTo([{ type: 'text' }]),
    "Missing required parameter: 'messages[0].content[0].text'.",
    'missing_required_parameter',
  ],
  [
    { temperature: 2.5 },
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
    'decimal_above_max_value',
  ],
  [
    { temperature: 'hot' },
    "Invalid type for 'temperature': expected a decimal, but got a string instead.",
    'invalid_type',
  ],
  [
    { max_tokens: 0 },
    "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    'integer_below_min_value',
  ],
  [
    { max_completion_tokens: 1.5 },
    "Invalid type for 'max_completion_tokens': expected an integer, but got a decimal instead.",
    'invalid_type',
  ],
  [
    { max_tokens: 64_001 },
    'max_tokens is too large: 64001. This model supports at most 64000 completion tokens, whereas you provided 64001.',
    'invalid_value',
  ],
  [
    { stop: ['a', 'b', 'c', 'd', 'e'] },
    "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
    'array_above_max_length',
  ],
  [
    { stop: ['x', '\n'] },
    "Invalid 'stop[1]': a stop sequence of white space only is not supported with this model.",
    'invalid_value',
  ],
  [
    { tools: [{ type: 'function', function: { name: 'x'.repeat(65) } }] },
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    'string_above_max_length',
  ],
  [
    { reasoning_effort: 'extreme' },
    "Invalid value: 'extreme'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', and 'max'.",
    'invalid_value',
  ],
])('%j is refused in the words of OpenAI', (members, message, code) => {
  const { status, error } = refused(members);
  expect(status).toBe(400);
  expect(error).toMatchObject({ message, code, type: 'invalid_request_error' });
  expect(error.param).not.toBeNull();
});

test.each([[null], [[]], ['{}'], [5], [undefined], [true]])('a body %j is refused', (body) => {
  expect(parseChatRequest(body, OPTIONS)).toMatchObject({ ok: false, error: { status: 400 } });
});

test.each(['gpt-4o', '', '__proto__', 'embed', 'amazon.titan-embed-text-v2:0', 'x'.repeat(5_000)])(
  'the model %.20j is not found',
  (model) => {
    const { status, error } = refused({ model });
    expect(status).toBe(404);
    expect(error.code).toBe('model_not_found');
    expect(error.message.length).toBeLessThan(250);
  },
);

test.each(['simple', 'complex', 'jp.anthropic.claude-sonnet-5'])(
  'the model %s is known',
  (model) => {
    expect(accepted({ model }).request.model).toBe(model);
  },
);

test('streaming and its usage chunk are asked for apart', () => {
  expect(accepted({ stream: true })).toMatchObject({ stream: true, includeUsage: false });
  const options = { include_usage: true, include_obfuscation: false };
  expect(accepted({ stream: true, stream_options: options })).toMatchObject({ includeUsage: true });
  expect(refused({ stream_options: options }).error.param).toBe('stream_options');
});

test.each<[object, object]>([
  [
    { temperature: 0.3, top_p: 0.9 },
    { temperature: 0.3, topP: 0.9 },
  ],
  [{ temperature: 0 }, { temperature: 0 }],
  // OpenAI's scale is longer than the models'.
  [{ temperature: 1.6 }, { temperature: 1 }],
  [{ temperature: 1, top_p: 1 }, {}],
  [{ stop: 'END' }, { stopSequences: ['END'] }],
  [{ stop: ['a', 'b'] }, { stopSequences: ['a', 'b'] }],
  [{ stop: [] }, {}],
  [{ max_tokens: 7 }, { maxTokens: 7 }],
  [{ max_completion_tokens: 64_000 }, { maxTokens: 64_000 }],
  [{ service_tier: 'flex' }, { serviceTier: 'flex' }],
  [{ service_tier: 'fast' }, { serviceTier: 'priority' }],
  [{ service_tier: 'auto' }, {}],
  [{ reasoning_effort: 'none' }, {}],
  [{ reasoning_effort: 'minimal' }, { thinking: { effort: 'low' }, maxTokens: 3_072 }],
  [
    { reasoning_effort: 'max', max_tokens: 9 },
    { thinking: { effort: 'high' }, maxTokens: 9 },
  ],
])('%j becomes %j', (members, expected) => {
  expect(accepted(members).request).toEqual({ ...accepted().request, ...expected });
});

test('a model that thinks takes no sampling of the caller', () => {
  const { error } = refused({ reasoning_effort: 'high', temperature: 0.2 });
  expect(error).toMatchObject({ param: 'temperature', code: 'unsupported_value' });
  expect(accepted({ reasoning_effort: 'high', temperature: 1 }).ok).toBe(true);
});

test('a model that cannot think is not asked to', () => {
  const model = OPTIONS.models.get('simple');
  if (model === undefined) throw new Error('no model');
  const models = new Map([['plain', { ...model, thinking: 'none' as const }]]);
  const body = { model: 'plain', messages: [user('Hi')], reasoning_effort: 'low' };
  expect(parseChatRequest(body, { ...OPTIONS, models })).toMatchObject({
    error: { error: { param: 'reasoning_effort', code: 'unsupported_parameter' } },
  });
});

test('only one of the two output limits is taken', () => {
  const { error } = refused({ max_tokens: 5, max_completion_tokens: 5 });
  expect(error.param).toBe('max_tokens');
});
