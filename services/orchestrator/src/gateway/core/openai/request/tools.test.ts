import { accepted, lookUp, refused } from '../test/samples';

const SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
const tools = [lookUp(SCHEMA), { type: 'function', function: { name: 'order' } }];
const offer = (members: object) => accepted({ tools, ...members }).request.tools;

test('tools are offered with their schemas; one without parameters takes none', () => {
  expect(offer({})).toEqual({
    tools: [
      { name: 'look_up', description: 'Looks a title up', inputSchema: SCHEMA },
      { name: 'order', inputSchema: { type: 'object', properties: {} } },
    ],
    choice: 'auto',
  });
});

test.each([
  ['auto', 'auto'],
  ['required', 'any'],
  [{ type: 'function', function: { name: 'order' } }, { name: 'order' }],
])('tool_choice %j is understood', (tool_choice, choice) => {
  expect(offer({ tool_choice })?.choice).toEqual(choice);
});

test('tool_choice none offers no tools', () => {
  expect(offer({ tool_choice: 'none' })).toBeUndefined();
});

test('allowed tools narrow the offer', () => {
  const allowed_tools = {
    mode: 'required',
    tools: [{ type: 'function', function: { name: 'order' } }],
  };
  const narrowed = offer({ tool_choice: { type: 'allowed_tools', allowed_tools } });
  expect(narrowed?.tools.map(({ name }) => name)).toEqual(['order']);
  expect(narrowed?.choice).toBe('any');
});

test('parallel_tool_calls: false lets one call through', () => {
  expect(accepted({ tools, parallel_tool_calls: false }).style).toEqual({ singleToolCall: true });
  expect(accepted({ tools, parallel_tool_calls: true }).style).toEqual({});
});

test('a description that is not valid Unicode is mended', () => {
  const tool = { type: 'function', function: { name: 'f', description: 'x\udc00' } };
  expect(offer({ tools: [tool] })?.tools[0]?.description).toBe('x\ufffd');
});

test('prototype keys in a schema stay data', () => {
  const schema: unknown = JSON.parse(
    '{"properties":{"__proto__":{"polluted":true}},"__proto__":{}}',
  );
  const inputSchema = offer({ tools: [lookUp(schema)] })?.tools[0]?.inputSchema ?? {};
  expect(JSON.stringify(inputSchema)).toContain('"__proto__":{"polluted":true}');
  expect(Object.getPrototypeOf(inputSchema)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const deep = (levels: number): unknown =>
  JSON.parse(`${'{"properties":'.repeat(levels)}{}${'}'.repeat(levels)}`);

test.each<[string, object, string]>([
  ['tool_choice without tools', { tools: null, tool_choice: 'required' }, 'tool_choice'],
  [
    'parallel_tool_calls without tools',
    { tools: null, parallel_tool_calls: true },
    'parallel_tool_calls',
  ],
  ['no tools', { tools: [] }, 'tools'],
  ['too many tools', { tools: Array.from({ length: 129 }, () => lookUp()) }, 'tools'],
  ['a tool twice', { tools: [lookUp(), lookUp()] }, 'tools[1].function.name'],
  ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
  [
    'a choice of a tool that is not there',
    { tool_choice: { type: 'function', function: { name: 'nope' } } },
    'tool_choice.function.name',
  ],
  ['a schema that is text', { tools: [lookUp('{}')] }, 'tools[0].function.parameters'],
  ['a schema of a list', { tools: [lookUp({ type: 'array' })] }, 'tools[0].function.parameters'],
  ['a schema nested too deep', { tools: [lookUp(deep(5_000))] }, 'tools'],
  ['a schema of too many values', { tools: [lookUp({ enum: Array(60_000).fill(0) })] }, 'tools'],
  ['a schema of too much text', { tools: [lookUp({ title: 'x'.repeat(2_000_000) })] }, 'tools'],
  ['a schema of broken text', { tools: [lookUp({ title: '\ud800' })] }, 'tools'],
])('%s is refused', (_, members, param) => {
  const { status, error } = refused({ tools, ...members });
  expect(status).toBe(400);
  expect(error.param).toBe(param);
});
