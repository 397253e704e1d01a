import OpenAI from 'openai';

import { formatDuration } from './format-duration';
import { errorBody, type OpenAiError } from './open-ai-error';
import { rateLimitHeaders } from './rate-limit-headers';
import { refusal, type RefusalReason } from './refusals';
import { upstreamRejection } from './upstream-rejection';

/** What the official client throws for a refusal, and how often it tried. */
async function thrown(
  error: OpenAiError,
  maxRetries = 0,
): Promise<{ cause: unknown; tries: number }> {
  let tries = 0;
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1:9/v1',
    maxRetries,
    fetch: () => {
      tries += 1;
      const { status, headers } = error;
      return Promise.resolve(new Response(errorBody(error), { status, headers }));
    },
  });
  const call = client.chat.completions.create({ model: 'simple', messages: [] });
  const cause: unknown = await call.catch((failure: unknown) => failure);
  return { cause, tries };
}

test.each([
  ['key-missing', 401, OpenAI.AuthenticationError],
  ['key-invalid', 401, OpenAI.AuthenticationError],
  ['key-failures', 429, OpenAI.RateLimitError],
  ['model-not-found', 404, OpenAI.NotFoundError],
  ['model-not-allowed', 403, OpenAI.PermissionDeniedError],
  ['residency-not-allowed', 403, OpenAI.PermissionDeniedError],
  ['url-unknown', 404, OpenAI.NotFoundError],
  ['method-not-allowed', 405, OpenAI.APIError],
  ['body-unreadable', 400, OpenAI.BadRequestError],
  ['body-too-complex', 400, OpenAI.BadRequestError],
  ['body-late', 408, OpenAI.APIError],
  ['body-too-large', 413, OpenAI.APIError],
  ['media-type-unsupported', 415, OpenAI.APIError],
  ['requests-limited', 429, OpenAI.RateLimitError],
  ['tokens-limited', 429, OpenAI.RateLimitError],
  ['tokens-beyond-limit', 429, OpenAI.RateLimitError],
  ['spend-cap-reached', 429, OpenAI.RateLimitError],
  ['overloaded', 503, OpenAI.InternalServerError],
  ['draining', 503, OpenAI.InternalServerError],
  ['ledger-unavailable', 503, OpenAI.InternalServerError],
  ['upstream-throttled', 503, OpenAI.InternalServerError],
  ['upstream-failed', 502, OpenAI.InternalServerError],
  ['upstream-misconfigured', 500, OpenAI.InternalServerError],
  ['first-content-late', 504, OpenAI.InternalServerError],
  ['answer-late', 504, OpenAI.InternalServerError],
  ['answer-cut', 502, OpenAI.InternalServerError],
  ['async-stream', 400, OpenAI.BadRequestError],
  ['task-not-found', 404, OpenAI.NotFoundError],
  ['tasks-unavailable', 503, OpenAI.InternalServerError],
  ['task-lost', 500, OpenAI.InternalServerError],
  ['internal', 500, OpenAI.InternalServerError],
] as const satisfies readonly [RefusalReason, number, unknown][])(
  '%s is %i, which the official client knows',
  async (reason, status, kind) => {
    const error = refusal(reason, { subject: 'complex', waitMs: 1_500 });
    const { cause } = await thrown(error);
    expect(cause).toBeInstanceOf(kind);
    expect(cause).toMatchObject({ status, code: error.error.code, type: error.error.type });
    expect(error.error.message).not.toMatch(/[{}]/);
  },
);

test.each(['requests-limited', 'tokens-limited', 'overloaded', 'ledger-unavailable'] as const)(
  '%s says when to come back, to the millisecond for those who can tell',
  (reason) => {
    const { headers, error } = refusal(reason, { subject: 'complex', waitMs: 1_500 });
    expect(headers).toEqual({ 'retry-after': '2', 'retry-after-ms': '1500' });
    expect(error.message).toContain('1.5s');
  },
);

test('a caller is never told to come back at once', () => {
  expect(refusal('overloaded', { waitMs: 0 }).headers['retry-after']).toBe('1');
});

test.each(['spend-cap-reached', 'tokens-beyond-limit', 'answer-late'] as const)(
  'the official client does not retry after %s, though it would by the status',
  async (reason) => {
    const { tries } = await thrown(refusal(reason, { waitMs: 300_000 }), 2);
    expect(tries).toBe(1);
  },
);

test('an answer that took too long comes with the advice to stream', () => {
  const { error } = refusal('answer-late', { subject: 'complex', waitMs: 300_000 });
  expect(error.message).toContain('within 5m0s');
  expect(error.message).toContain('"stream": true');
});

test('a spend cap is a quota to programs', () => {
  const { error } = refusal('spend-cap-reached', { subject: 'daily' });
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' });
  expect(error.message).toContain('daily');
});

test("a caller's words in a message are short, valid and not read as a template", () => {
  const { message } = refusal('model-not-found', {
    subject: `$&{wait}\ud800${'x'.repeat(999)}`,
  }).error;
  expect(message).toContain('`$&');
  expect(message.isWellFormed()).toBe(true);
  expect(message.length).toBeLessThan(250);
});

test.each([
  'Input is too long for requested model.',
  'input length and `max_tokens` exceed context limit: 199990 + 64 > 200000',
  'prompt is too long: 210000 tokens > 200000 maximum',
])('%j is a context that was exceeded', (message) => {
  expect(upstreamRejection(message)).toMatchObject({
    status: 400,
    error: { param: 'messages', code: 'context_length_exceeded' },
  });
});

test('what else a model refuses is passed on, within bounds', () => {
  const { error } = upstreamRejection(`Could not process image ${'!'.repeat(5_000)}`);
  expect(error.code).toBeNull();
  expect(error.message).toContain('Could not process image');
  expect(error.message.length).toBeLessThan(1_100);
});

test.each([
  [0, '0s'],
  [-5, '0s'],
  [0.2, '1ms'],
  [120, '120ms'],
  [999, '999ms'],
  [1_000, '1s'],
  [8_640, '8.64s'],
  [59_999, '59.999s'],
  [60_000, '1m0s'],
  [360_000, '6m0s'],
  [86_400, '1m26.4s'],
  [3_600_000, '1h0m0s'],
  [90_061_500, '25h1m1.5s'],
])('%d ms are written %s', (durationMs, written) => {
  expect(formatDuration(durationMs)).toBe(written);
});

test('limits are shown as OpenAI shows them; none where there is none', () => {
  const requests = { limit: 500, remaining: 499, resetMs: 120 };
  const tokens = { limit: 2_000_000, remaining: -3.5, resetMs: 360_000 };
  expect(rateLimitHeaders({ requests, tokens })).toEqual({
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-ratelimit-reset-requests': '120ms',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-tokens': '6m0s',
  });
  expect(rateLimitHeaders({})).toEqual({});
});
