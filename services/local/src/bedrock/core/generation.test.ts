import fc from 'fast-check';

import { textOfFirst } from './answer-content';
import { parseConverseRequest } from './converse-request';
import { generate } from './generation';
import { OK_SCRIPT } from './scripts';
import { countTokens } from './tokenizer';

const asking = (text: string, rest: object = {}) =>
  parseConverseRequest({ messages: [{ role: 'user', content: [{ text }] }], ...rest });

const textOf = (text: string, rest: object = {}): string =>
  textOfFirst(generate(asking(text, rest), OK_SCRIPT, 10_000), 10_000);

test('an answer never exceeds its limit, and says so when it was cut', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 200 }),
      (text, maxTokens) => {
        const thinking = { additionalModelRequestFields: { thinking: { type: 'adaptive' } } };
        const whole = generate(asking(text, thinking), OK_SCRIPT, 10_000);
        const cut = generate(asking(text, thinking), OK_SCRIPT, maxTokens);
        const kept = cut.blocks.reduce((sum, { tokens }) => sum + tokens.length, 0);

        expect(cut.outputTokens).toBe(Math.min(maxTokens, whole.outputTokens));
        expect(kept).toBe(cut.outputTokens);
        expect(cut.stopReason).toBe(maxTokens < whole.outputTokens ? 'max_tokens' : 'end_turn');
      },
    ),
  );
});

test('the same question gets the same answer, another question most likely another', () => {
  expect(textOf('おすすめは？')).toBe(textOf('おすすめは？'));
  expect(new Set(['a?', 'b?', 'c?', 'd?', 'e?'].map((text) => textOf(text))).size).toBeGreaterThan(
    3,
  );
});

test('a script decides the exact length or the exact words', () => {
  const long = generate(asking('hi'), { ...OK_SCRIPT, tokens: 777 }, 10_000);
  const exact = generate(asking('hi'), { ...OK_SCRIPT, text: 'just so' }, 10_000);

  expect(long.outputTokens).toBe(777);
  expect(countTokens(textOfFirst(long, 777))).toBe(777);
  expect(textOfFirst(exact, 10)).toBe('just so');
});

test('the text of a part of the tokens leaves thoughts and tool input out', () => {
  const generation = {
    blocks: [
      { kind: 'reasoning' as const, tokens: ['hm', 'm'] },
      { kind: 'text' as const, tokens: ['a', ' b', ' c'] },
      { kind: 'toolUse' as const, toolUseId: 't', name: 'n', tokens: ['{', '}'] },
    ],
    outputTokens: 7,
    stopReason: 'tool_use' as const,
    seed: 0,
  };
  expect([2, 4, 7].map((tokens) => textOfFirst(generation, tokens))).toEqual(['', 'a b', 'a b c']);
});

test.each([
  ['XML attributes', '<source title="Paper Moon">…</source>'],
  ['JSON', '{"title": "Paper Moon", "score": 1}'],
  ['labelled lines', '- title: Paper Moon'],
  ['numbered passages', '[1] Paper Moon'],
  ['Japanese quotes', '『Paper Moon』第3巻'],
])('titles are found in %s and cited', (_, passage) => {
  expect(textOf('quiet?', { system: [{ text: passage }] })).toContain('Paper Moon');
});

const tools = [
  tool('check_stock', 'Looks up how many copies of a book are in stock.'),
  tool('order_status', '注文の配送状況を調べます。'),
];

function tool(name: string, description: string) {
  const json = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
  return { toolSpec: { name, description, inputSchema: { json } } };
}

test.each([
  ['nothing to do with them', 'Good morning', {}, []],
  ['a tool by name', 'Please run order_status now', {}, ['order_status']],
  ['what a tool is for', 'How many copies are in stock?', {}, ['check_stock']],
  ['what a tool is for, in Japanese', '配送状況を教えて', {}, ['order_status']],
  ['two tools by name', 'order status and check stock', {}, ['check_stock', 'order_status']],
  ['anything, being forced', 'Good morning', { any: {} }, ['check_stock']],
  [
    'anything, being told which',
    'Good morning',
    { tool: { name: 'order_status' } },
    ['order_status'],
  ],
])('a question with %s calls the tools that fit', (_, text, toolChoice, expected) => {
  const choice = Object.keys(toolChoice).length > 0 ? { toolChoice } : {};
  const generation = generate(asking(text, { toolConfig: { tools, ...choice } }), OK_SCRIPT, 500);
  const called = generation.blocks.flatMap((block) => (block.kind === 'toolUse' ? block.name : []));

  expect(called).toEqual(expected);
  expect(generation.stopReason).toBe(expected.length > 0 ? 'tool_use' : 'end_turn');
});
