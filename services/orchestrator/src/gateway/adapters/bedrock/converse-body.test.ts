import { defaultConfiguration } from '@matsuri/contract';
import type { Model } from '@matsuri/contract';

import type { ContentBlock, ModelRequest } from '../../core/model-request';
import { converseBody } from './converse-body';
import { question } from './test/calls';

function model(name: string, changes: Partial<Model> = {}): Model {
  const found = defaultConfiguration.models.models[name];
  if (!found) throw new Error(`no model ${name}`);
  return { ...found, ...changes };
}

const SONNET = model('claude-sonnet-5');
const HAIKU = model('claude-haiku-4-5');
const UNCACHED = model('claude-sonnet-5', { minCacheTokens: 0, thinking: 'none' });
const TOOL = { name: 'find_title', description: 'Finds a title', inputSchema: { type: 'object' } };
const AUTO = { tools: [TOOL], choice: 'auto' } as const;
const THINKING = { thinking: { effort: 'medium' } } as const;

function saying(...content: ContentBlock[]): ModelRequest {
  return question('', { messages: [{ role: 'user', content }] });
}

test('a plain question is only itself and its limit', () => {
  expect(converseBody(question('Hello'), SONNET)).toEqual({
    messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    inferenceConfig: { maxTokens: 500 },
  });
});

test('the limit is always sent, and never above what the serving model can', () => {
  const { inferenceConfig } = converseBody(question('Hello', { maxTokens: 100_000 }), HAIKU);
  expect(inferenceConfig.maxTokens).toBe(64_000);
});

test('every kind of block has its place', () => {
  const use = { type: 'tool-use', id: 't1', name: 'find_title', input: { q: '祭' } } as const;
  const request = question('', {
    system: [
      { type: 'text', text: 'Be kind.' },
      { type: 'cache-point', ttl: '1h' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'image', format: 'png', base64: 'AAEC' }] },
      { role: 'assistant', content: [use] },
      {
        role: 'user',
        content: [
          { type: 'tool-result', id: 't1', text: 'nothing', failed: true },
          { type: 'cache-point', ttl: '5m' },
        ],
      },
    ],
    tools: { tools: [TOOL], choice: { name: 'find_title' } },
    stopSequences: ['END'],
    serviceTier: 'priority',
    topP: 0.5,
  });
  expect(converseBody(request, SONNET)).toEqual({
    system: [{ text: 'Be kind.' }, { cachePoint: { type: 'default', ttl: '1h' } }],
    messages: [
      { role: 'user', content: [{ image: { format: 'png', source: { bytes: 'AAEC' } } }] },
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 't1', name: 'find_title', input: { q: '祭' } } }],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 't1', content: [{ text: 'nothing' }], status: 'error' } },
          { cachePoint: { type: 'default' } },
        ],
      },
    ],
    inferenceConfig: { maxTokens: 500, topP: 0.5, stopSequences: ['END'] },
    toolConfig: {
      tools: [
        {
          toolSpec: {
            name: 'find_title',
            description: 'Finds a title',
            inputSchema: { json: { type: 'object' } },
          },
        },
      ],
      toolChoice: { tool: { name: 'find_title' } },
    },
    serviceTier: { type: 'priority' },
  });
});

test('cache points are left out where the model has no cache', () => {
  const cached = saying({ type: 'text', text: 'Hello' }, { type: 'cache-point', ttl: '1h' });
  const system = [{ type: 'cache-point', ttl: '5m' }] as const;
  const body = converseBody({ ...cached, system }, UNCACHED);
  expect(body.messages[0]?.content).toEqual([{ text: 'Hello' }]);
  expect(body).not.toHaveProperty('system');
});

test('blank text is left out, and a tool that said nothing says so', () => {
  const request = saying(
    { type: 'text', text: ' \n' },
    { type: 'tool-result', id: 't1', text: '', failed: false },
  );
  expect(converseBody(request, SONNET).messages[0]?.content).toEqual([
    { toolResult: { toolUseId: 't1', content: [{ text: '(no output)' }] } },
  ]);
});

test('tools used before are offered by name when none are offered now', () => {
  const use = { type: 'tool-use', id: 't1', name: 'find_title', input: {} } as const;
  const { toolConfig } = converseBody(saying(use, use), SONNET);
  expect(toolConfig).toEqual({
    tools: [{ toolSpec: { name: 'find_title', inputSchema: { json: { type: 'object' } } } }],
  });
});

test.each([
  ['auto', undefined],
  ['any', { any: {} }],
  [{ name: 'find_title' }, { tool: { name: 'find_title' } }],
] as const)('the tool choice %j becomes %j', (choice, toolChoice) => {
  const request = question('Hello', { tools: { tools: [TOOL], choice } });
  expect(converseBody(request, SONNET).toolConfig?.toolChoice).toEqual(toolChoice);
});

test('of temperature and top_p only the temperature is sent', () => {
  const { inferenceConfig } = converseBody(question('x', { temperature: 0, topP: 0.9 }), HAIKU);
  expect(inferenceConfig).toEqual({ maxTokens: 500, temperature: 0 });
});

describe('thinking', () => {
  const fieldsOf = (request: ModelRequest, serving: Model) =>
    converseBody(request, serving).additionalModelRequestFields;

  test('is left to a model that judges for itself', () => {
    expect(fieldsOf(question('x', THINKING), SONNET)).toEqual({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'medium' },
    });
  });

  test.each([
    ['low', 10_000, 2_000],
    ['medium', 10_000, 5_000],
    ['high', 10_000, 8_000],
    ['low', 2_000, 1_024],
    ['high', 1_025, 1_024],
    ['high', 500_000, 51_200],
  ] as const)('with %s effort has of %i tokens a budget of %i', (effort, maxTokens, budget) => {
    expect(fieldsOf(question('x', { thinking: { effort }, maxTokens }), HAIKU)).toEqual({
      thinking: { type: 'enabled', budget_tokens: budget },
    });
  });

  test.each([
    ['the model cannot', question('x', THINKING), UNCACHED],
    ['there is no room for it', question('x', { ...THINKING, maxTokens: 1_024 }), HAIKU],
    [
      'a tool is forced',
      question('x', { ...THINKING, tools: { tools: [TOOL], choice: 'any' } }),
      SONNET,
    ],
    [
      'it would have to follow on from thoughts that were not kept',
      {
        ...saying({ type: 'tool-result', id: 't', text: 'found', failed: false }),
        ...THINKING,
        maxTokens: 5_000,
      },
      HAIKU,
    ],
    ['nobody asked', question('x'), SONNET],
  ])('is left out when %s', (_, request, serving) => {
    expect(fieldsOf(request, serving)).toBeUndefined();
  });

  test('keeps top_p only where it is close to 1, and no temperature', () => {
    const asked = { ...THINKING, tools: AUTO, temperature: 0.3 };
    const configOf = (topP: number) =>
      converseBody(question('x', { ...asked, topP }), SONNET).inferenceConfig;
    expect(configOf(0.94)).toEqual({ maxTokens: 500 });
    expect(configOf(0.95)).toEqual({ maxTokens: 500, topP: 0.95 });
  });
});
