import fc from 'fast-check';

import type { ContentBlock, ModelMessage, ModelRequest } from '../../model-request';
import type { OpenAiError } from '../refusal/open-ai-error';
import { damagedRequest, validRequest } from '../test/request-arbitrary';
import { OPTIONS } from '../test/samples';
import { parseChatRequest } from './parse-chat-request';

const RUNS = { numRuns: 1_000 };

function blocksOf({ system, messages }: ModelRequest): readonly ContentBlock[] {
  return [...system, ...messages.flatMap(({ content }) => content)];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]);
}

function idsOf(type: 'tool-use' | 'tool-result', turn: ModelMessage | undefined): string {
  const ids = turn?.content.flatMap((block) => (block.type === type ? [block.id] : [])) ?? [];
  return ids.toSorted().join();
}

/** What Converse would hold against a request. */
function objections(request: ModelRequest): string[] {
  const { messages } = request;
  const blocks = blocksOf(request);
  const most = OPTIONS.models.get(request.model)?.maxOutputTokens ?? 0;
  const has = (type: ContentBlock['type']) => blocks.some((block) => block.type === type);
  const claims: Record<string, boolean> = {
    'the user begins': messages.at(0)?.role === 'user',
    'the user ends': messages.at(-1)?.role === 'user',
    'turns alternate': messages.every(({ role }, at) => role !== messages[at - 1]?.role),
    'turns say something': messages.every(({ content }) => content.length > 0),
    'no text is blank': blocks.every((block) => block.type !== 'text' || block.text.trim() !== ''),
    'results follow their calls': messages.every(
      (turn, at) => idsOf('tool-use', turn) === idsOf('tool-result', messages[at + 1]),
    ),
    'tools are offered where they were used': !has('tool-use') || request.tools !== undefined,
    'cache points are few': blocks.filter(({ type }) => type === 'cache-point').length <= 4,
    'all text is Unicode': stringsIn(request).every((text) => text.isWellFormed()),
    'the limit is within the model': request.maxTokens >= 1 && request.maxTokens <= most,
  };
  return Object.keys(claims).filter((claim) => claims[claim] === false);
}

function isRefusal({ status, error }: OpenAiError): boolean {
  return (
    (status === 400 || status === 404) &&
    Object.keys(error).join() === 'message,type,param,code' &&
    error.type === 'invalid_request_error' &&
    error.message !== '' &&
    error.message.length < 2_000 &&
    error.message.isWellFormed()
  );
}

test('a valid request is understood, and Converse can serve it', () => {
  fc.assert(
    fc.property(validRequest, (body) => {
      const outcome = parseChatRequest(body, OPTIONS);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
      expect(objections(outcome.request)).toEqual([]);
    }),
    RUNS,
  );
});

test('a damaged request is served all the same or refused with a 4xx in the shape of OpenAI', () => {
  fc.assert(
    fc.property(damagedRequest, (body) => {
      const outcome = parseChatRequest(body, OPTIONS);
      if (outcome.ok) {
        expect(objections(outcome.request)).toEqual([]);
        return;
      }
      expect(isRefusal(outcome.error)).toBe(true);
    }),
    RUNS,
  );
});

test('any JSON at all is answered without a throw', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (body) => {
      const outcome = parseChatRequest(body, OPTIONS);
      expect(outcome.ok).toBe(false);
    }),
    RUNS,
  );
});

test('the same request is always understood alike, and left as it was', () => {
  fc.assert(
    fc.property(damagedRequest, (body) => {
      const before = JSON.stringify(body);
      const first = parseChatRequest(body, OPTIONS);
      expect(parseChatRequest(body, OPTIONS)).toEqual(first);
      expect(JSON.stringify(body)).toBe(before);
    }),
    { numRuns: 300 },
  );
});

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

// Milliseconds for honest code; a walk over every element or a deep recursion takes seconds or the stack.
test.each<[string, object]>([
  ['five million messages', { messages: Array(5_000_000).fill(0) }],
  ['five million parts', { messages: [{ role: 'user', content: Array(5_000_000).fill(0) }] }],
  [
    'five million calls',
    { messages: [{ role: 'assistant', tool_calls: Array(5_000_000).fill(0) }] },
  ],
  ['five million tools', { tools: Array(5_000_000).fill(0) }],
  ['five million stops', { stop: Array(5_000_000).fill('') }],
  ['depth in messages', { messages: nested(100_000) }],
  ['depth in metadata', { metadata: nested(100_000), n: 2 }],
  [
    'depth in a tool',
    { tools: [{ type: 'function', function: { name: 'f', parameters: { a: nested(100_000) } } }] },
  ],
  ['depth in an unknown parameter', { x: nested(100_000) }],
  ['depth in logit_bias', { logit_bias: { a: nested(100_000) } }],
  ['a name of ten million characters', { ['x'.repeat(10_000_000)]: 1 }],
  ['a role of ten million characters', { messages: [{ role: 'x'.repeat(10_000_000) }] }],
])('%s cost little to refuse', (_, members) => {
  const body = { model: 'simple', messages: [{ role: 'user', content: 'Hi' }], ...members };
  const outcome = parseChatRequest(body, OPTIONS);
  if (outcome.ok) throw new Error('accepted');
  expect(outcome.error.status).toBe(400);
  expect(outcome.error.error.message.length).toBeLessThan(2_000);
});
