import fc, { type Arbitrary } from 'fast-check';

/** Texts that have broken parsers, prompts or frames before. */
export const nastyText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\n',
      '\r\n\r\n',
      '\u2028',
      '\u2029',
      '\u0085',
      '\ufeff',
      '\0',
      '\ud800',
      '\udfff',
    ],
    ...['data: [DONE]', 'data: [DONE]\n\n', '\n\ndata: {}\n\n', ': heartbeat', 'event: error\n'],
    ...[
      '__proto__',
      'constructor',
      'null',
      '{}',
      '{"a":[1]}',
      '"',
      '\\',
      '\\u2028',
      '日本語',
      '👩‍👩‍👧',
    ],
  ),
);

const textPart = fc.record({ type: fc.constant('text'), text: nastyText });
const imagePart = fc.constant({
  type: 'image_url',
  image_url: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' },
});

const textContent = fc.oneof(nastyText, fc.array(textPart, { maxLength: 3 }));
const userContent = fc.oneof(nastyText, fc.array(fc.oneof(textPart, imagePart), { maxLength: 3 }));

const said = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer'), content: textContent }),
  fc.record({ role: fc.constant('user'), content: userContent }),
  fc.record({ role: fc.constant('assistant'), content: textContent }),
);

/** Calls with the results that belong to them, in any order; some ids are none to a model. */
const toolExchange = fc
  .uniqueArray(fc.constantFrom('a', 'call_1', 'c.d', 'x'.repeat(70)), { minLength: 1 })
  .chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length })))
  .map(([ids, answered]) => [
    { role: 'assistant', content: null, tool_calls: ids.map(callOf) },
    ...answered.map((id) => ({ role: 'tool', tool_call_id: id, content: 'found' })),
  ]);

function callOf(id: string): object {
  return { id, type: 'function', function: { name: 'f', arguments: '{"q":"x"}' } };
}

const messages = fc
  .array(
    fc.oneof(
      said.map((message) => [message]),
      toolExchange,
    ),
    { maxLength: 6 },
  )
  .map((groups) => [...groups.flat(), { role: 'user', content: 'Go on' }]);

const functionTool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { q: { type: 'string' } } } },
});

const tooling = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      tools: fc.constant(['f', 'answer_in_json'].map(functionTool)),
      tool_choice: fc.constantFrom(
        'none',
        'auto',
        'required',
        { type: 'function', function: { name: 'f' } },
        { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [functionTool('f')] } },
      ),
      parallel_tool_calls: fc.boolean(),
    },
    { requiredKeys: ['tools'] },
  ),
);

const sampling = fc.oneof(
  fc.record({ reasoning_effort: fc.constantFrom('none', 'minimal', 'low', 'high', 'max') }),
  fc.record(
    { temperature: fc.double({ min: 0, max: 2, noNaN: true }), top_p: fc.constantFrom(0, 0.9, 1) },
    { requiredKeys: [] },
  ),
);

const streaming = fc.oneof(
  fc.record({ stream: fc.boolean() }),
  fc.record({ stream: fc.constant(true), stream_options: fc.constant({ include_usage: true }) }),
);

const rest = fc.record(
  {
    max_completion_tokens: fc.integer({ min: 1, max: 64_000 }),
    stop: fc.constantFrom('END', ['a', 'b'], []),
    response_format: fc.constantFrom(
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    ),
    service_tier: fc.constantFrom('auto', 'default', 'flex', 'priority'),
    user: nastyText,
    metadata: fc.jsonValue(),
    n: fc.constant(1),
  },
  { requiredKeys: [] },
);

/** Requests that are to be understood. */
export const validRequest: Arbitrary<object> = fc
  .tuple(
    fc.record({ model: fc.constantFrom('simple', 'jp.anthropic.claude-sonnet-5'), messages }),
    ...[tooling, sampling, streaming, rest],
  )
  .map((parts) => Object.assign({}, ...parts) as object);

const junk: Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  nastyText,
  fc.webUrl().map((url) => [{ type: 'image_url', image_url: { url } }]),
);

/** Requests with one member, anywhere, replaced by anything. */
export const damagedRequest: Arbitrary<object> = fc
  .tuple(validRequest, fc.array(fc.nat(50), { minLength: 1, maxLength: 8 }), junk)
  .map(([request, steps, value]) => replacedAt(request, steps, value) as object);

function replacedAt(
  value: unknown,
  [step = 0, ...further]: readonly number[],
  junk: unknown,
): unknown {
  if (typeof value !== 'object' || value === null) return junk;
  const keys = Object.keys(value);
  const key = keys[step % keys.length];
  if (key === undefined) return junk;
  const member: unknown = Reflect.get(value, key);
  const replaced = further.length === 0 ? junk : replacedAt(member, further, junk);
  return Array.isArray(value)
    ? value.map((each: unknown, at) => (String(at) === key ? replaced : each))
    : { ...value, [key]: replaced };
}
