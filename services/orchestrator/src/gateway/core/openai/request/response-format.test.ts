import { accepted, lookUp, refused, text } from '../test/samples';

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const bySchema = (members: object = {}) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'title', schema, ...members } },
});

test('text asks for nothing', () => {
  const { request, style } = accepted({ response_format: { type: 'text' } });
  expect(request.system).toEqual([]);
  expect(style).toEqual({});
});

test('json_object is an instruction behind those of the caller', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ];
  const { request } = accepted({ messages, response_format: { type: 'json_object' } });
  expect(request.system).toEqual([
    text('Be brief.'),
    expect.objectContaining({ text: expect.stringContaining('JSON object') as string }),
  ]);
});

test('json_schema without a schema is json_object', () => {
  expect(accepted(bySchema({ schema: undefined })).request).toEqual(
    accepted({ response_format: { type: 'json_object' } }).request,
  );
});

test('json_schema is a tool that must be used, whose input is the answer', () => {
  const { request, style } = accepted(bySchema());
  expect(request.tools?.tools).toMatchObject([{ name: 'answer_in_json', inputSchema: schema }]);
  expect(request.tools?.choice).toEqual({ name: 'answer_in_json' });
  expect(style.answerTool).toBe('answer_in_json');
});

test('beside tools the model either calls one or answers', () => {
  const { request } = accepted({ ...bySchema(), tools: [lookUp()] });
  expect(request.tools?.tools.map(({ name }) => name)).toEqual(['look_up', 'answer_in_json']);
  expect(request.tools?.choice).toBe('any');
});

test('where a call is demanded, there is no answer to give a form to', () => {
  const { request, style } = accepted({
    ...bySchema(),
    tools: [lookUp()],
    tool_choice: 'required',
  });
  expect(request.tools?.tools.map(({ name }) => name)).toEqual(['look_up']);
  expect(style.answerTool).toBeUndefined();
});

test('a tool of the caller with the same name keeps it', () => {
  const mine = { type: 'function', function: { name: 'answer_in_json' } };
  expect(accepted({ ...bySchema(), tools: [mine] }).style.answerTool).toBe('answer_in_json_');
});

test.each<[string, object, string]>([
  ['an unknown type', { response_format: { type: 'xml' } }, 'response_format.type'],
  ['a name with blanks', bySchema({ name: 'a b' }), 'response_format.json_schema.name'],
  ['a list', bySchema({ schema: { type: 'array' } }), 'response_format.json_schema.schema'],
])('%s is refused', (_, members, param) => {
  expect(refused(members).error.param).toBe(param);
});
