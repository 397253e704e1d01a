import fc from 'fast-check';

import { estimateTextTokens } from './estimate-text-tokens';
import { estimateInputTokens } from './estimate-tokens';
import { nastyText, validRequest } from './test/request-arbitrary';
import { accepted, lookUp, OPTIONS, text, toolCalls, toolResult, user } from './test/samples';
import { parseChatRequest } from './request/parse-chat-request';

const estimate = (members: object) => estimateInputTokens(accepted(members).request);

// Counts of tokenizers in use for text of these kinds; the estimate is to lie above, and not far above.
test.each([
  ['English', 'The quick brown fox jumps over the lazy dog, and nobody minds. ', 14],
  ['Japanese', '新刊の発売日はいつですか。予約もできますか。', 20],
  ['Russian', 'Когда выходит следующий том этой манги?', 11],
  ['code', 'export function add(a: number, b: number): number { return a + b; }', 21],
  ['JSON', '{"title":"Volume 12","price":550,"inStock":true}', 18],
  ['base64', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk', 34],
])('%s is estimated above its tokens, but not threefold', (_, words, tokens) => {
  expect(estimateTextTokens(words)).toBeGreaterThanOrEqual(tokens);
  expect(estimateTextTokens(words)).toBeLessThan(tokens * 3);
});

test('a text never costs less for going on', () => {
  fc.assert(
    fc.property(nastyText, nastyText, (start, more) => {
      const before = estimateTextTokens(start);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(estimateTextTokens(start + more)).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: 1_000 },
  );
});

test('no text costs more in pieces than a token for each cut', () => {
  fc.assert(
    fc.property(nastyText, nastyText, (start, more) => {
      const apart = estimateTextTokens(start) + estimateTextTokens(more);
      expect(estimateTextTokens(start + more)).toBeLessThanOrEqual(apart + 1);
    }),
    { numRuns: 1_000 },
  );
});

test('nothing costs nothing, a character something', () => {
  expect(estimateTextTokens('')).toBe(0);
  for (const character of ['a', ' ', '\n', '字', '\ud800']) {
    expect(estimateTextTokens(character)).toBeGreaterThan(0);
  }
});

test('every request has a positive whole estimate', () => {
  fc.assert(
    fc.property(validRequest, (body) => {
      const outcome = parseChatRequest(body, OPTIONS);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
      const tokens = estimateInputTokens(outcome.request);
      expect(Number.isSafeInteger(tokens) && tokens > 0).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('instructions, tools, calls, results and images all count', () => {
  const plain = estimate({});
  const image = {
    type: 'image_url',
    image_url: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' },
  };
  const messages = [user('Hello')];
  expect(
    estimate({ messages: [{ role: 'system', content: 'Be brief.' }, ...messages] }),
  ).toBeGreaterThan(plain);
  expect(estimate({ messages: [user([text('Hello'), image])] })).toBe(plain + 1_600);
  const tools = [lookUp({ type: 'object', properties: { id: { type: 'integer' } } })];
  const offered = estimate({ tools });
  expect(offered).toBeGreaterThan(plain + 346);
  const called = [...messages, toolCalls('a'), toolResult('a', 'found it')];
  expect(estimate({ tools, messages: called })).toBeGreaterThan(offered + 10);
});
