import { createModelPaths } from './model-path';

test.each([
  [
    'jp.anthropic.claude-haiku-4-5-20251001-v1:0',
    '/model/jp.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse-stream',
    '/model/jp.anthropic.claude-haiku-4-5-20251001-v1%253A0/converse-stream',
  ],
  [
    'arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/abc123',
    '/model/arn%3Aaws%3Abedrock%3Aap-northeast-1%3A123456789012%3Aprovisioned-model%2Fabc123/converse-stream',
    '/model/arn%253Aaws%253Abedrock%253Aap-northeast-1%253A123456789012%253Aprovisioned-model%252Fabc123/converse-stream',
  ],
])('%s is escaped once on the wire and twice under the signature', (id, sent, canonical) => {
  expect(createModelPaths('')(id, 'converse-stream')).toEqual({ sent, canonical });
});

test('an endpoint with a path of its own keeps it', () => {
  expect(createModelPaths('/bedrock')('m', 'invoke').sent).toBe('/bedrock/model/m/invoke');
});

test('a path is made once, and ever new ids do not pile up', () => {
  const pathOf = createModelPaths('');
  const first = pathOf('m', 'converse');
  expect(pathOf('m', 'converse')).toBe(first);
  for (let id = 0; id < 2_000; id += 1) pathOf(`other-${id}`, 'converse');
  expect(pathOf('m', 'converse')).not.toBe(first);
});
