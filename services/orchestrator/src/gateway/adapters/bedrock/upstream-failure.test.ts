import {
  connectionError,
  exceptionError,
  refusalError,
  spoilsCredentials,
} from './upstream-failure';

const NOW_MS = 0;

function refused(status: number, type: string | undefined, message = '', body?: string) {
  const headers = type === undefined ? {} : { 'x-amzn-errortype': type };
  return { status, headers, body: body ?? JSON.stringify({ message }) };
}

const ON_DEMAND =
  'Invocation of model ID anthropic.claude-sonnet-5 with on-demand throughput isn’t supported. Retry…';

test.each([
  [429, 'ThrottlingException', 'slow down', 'throttled'],
  [400, 'ServiceQuotaExceededException', '', 'throttled'],
  [429, 'ModelNotReadyException', '', 'unavailable'],
  [408, 'ModelTimeoutException', '', 'unavailable'],
  [424, 'ModelErrorException', '', 'unavailable'],
  [500, 'InternalServerException', '', 'unavailable'],
  [503, 'ServiceUnavailableException', '', 'unavailable'],
  [403, 'ExpiredTokenException', '', 'unavailable'],
  [403, 'AccessDeniedException', '', 'misconfigured'],
  [404, 'ResourceNotFoundException', '', 'misconfigured'],
  [403, 'UnrecognizedClientException', '', 'misconfigured'],
  [400, 'ValidationException', 'max_tokens is too large', 'invalid-request'],
  [400, 'ValidationException', ON_DEMAND, 'misconfigured'],
  [400, 'ValidationException', 'The provided model identifier is invalid.', 'misconfigured'],
  [400, 'com.amazon.coral#ThrottlingException:http://internal.amazon.com/', '', 'throttled'],
  [429, undefined, '', 'throttled'],
  [413, undefined, '', 'invalid-request'],
  [502, undefined, '', 'unavailable'],
  [404, undefined, '', 'misconfigured'],
  [301, undefined, '', 'misconfigured'],
  [599, 'BrandNewException', '', 'unavailable'],
])('HTTP %i %s is %s%s', (status, type, message, failure) => {
  expect(refusalError(refused(status, type, message), NOW_MS)).toMatchObject({ failure });
});

test('the exception is found in the body where no header names it', () => {
  const body = JSON.stringify({ __type: 'ThrottlingException', Message: 'later' });
  const error = refusalError(refused(400, undefined, '', body), NOW_MS);
  expect(error).toMatchObject({ failure: 'throttled', message: 'ThrottlingException: later' });
});

test('a page instead of JSON is described by its status, not by its text', () => {
  const error = refusalError(refused(502, undefined, '', '<html>secret</html>'), NOW_MS);
  expect(error).toMatchObject({ failure: 'unavailable', message: 'HTTP 502' });
});

test('Retry-After is passed on in milliseconds', () => {
  const refusal = { ...refused(429, 'ThrottlingException'), headers: { 'retry-after': '7' } };
  expect(refusalError(refusal, NOW_MS).retryAfterMs).toBe(7_000);
  expect(refusalError(refused(429, 'ThrottlingException'), NOW_MS).retryAfterMs).toBeUndefined();
});

test.each([
  ['throttlingException', 'throttled'],
  ['internalServerException', 'unavailable'],
  ['serviceUnavailableException', 'unavailable'],
  ['modelStreamErrorException', 'unavailable'],
  ['modelTimeoutException', 'unavailable'],
  ['validationException', 'invalid-request'],
  ['somethingNewException', 'unavailable'],
])('inside a stream %s is %s', (type, failure) => {
  expect(exceptionError(type, 'because')).toMatchObject({ failure });
});

test('a broken connection keeps its cause', () => {
  const cause = new Error('ECONNRESET');
  expect(connectionError(cause)).toMatchObject({ failure: 'unavailable', cause });
});

test('only refusals about credentials spoil them', () => {
  expect(spoilsCredentials(refused(403, 'ExpiredTokenException'))).toBe(true);
  expect(spoilsCredentials(refused(403, 'AccessDeniedException'))).toBe(false);
  expect(spoilsCredentials(refused(502, undefined, '', '<html>'))).toBe(false);
});
