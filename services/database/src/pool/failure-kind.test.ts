import { DatabaseUnavailableError } from '../errors';
import { translateFailure } from './failure-kind';

const withCode = (code: string, message = 'the server says') =>
  Object.assign(new Error(message), { code });

test.each([
  ['ECONNREFUSED', 'no-connection'],
  ['57P03', 'no-connection'],
  ['ECONNRESET', 'connection-lost'],
  ['57P01', 'connection-lost'],
  ['57P02', 'connection-lost'],
  ['08006', 'connection-lost'],
  ['25006', 'connection-lost'],
  ['57014', 'deadline'],
  ['55P03', 'deadline'],
  ['53300', 'overloaded'],
  ['53100', 'overloaded'],
  ['40001', 'overloaded'],
  ['40P01', 'overloaded'],
])('%s may pass: %s', (code, reason) => {
  const cause = withCode(code);
  const translated = translateFailure(cause);
  expect(translated).toBeInstanceOf(DatabaseUnavailableError);
  expect(translated).toMatchObject({ reason, cause, retryable: true });
});

test.each([
  ['timeout exceeded when trying to connect', 'no-connection'],
  ['Connection terminated unexpectedly', 'connection-lost'],
  ['Query read timeout', 'deadline'],
  ['Cannot use a pool after calling end on the pool', 'closed'],
])('the driver says "%s": %s', (message, reason) => {
  expect(translateFailure(new Error(message))).toMatchObject({ reason });
});

test.each(['23505', '22P02', '42P01'])('%s will not pass and is thrown as it is', (code) => {
  const error = withCode(code);
  expect(translateFailure(error)).toBe(error);
});

test('takes off a wrapper that carries parameters', () => {
  const cause = withCode('23505');
  expect(translateFailure(new Error('params: the digest', { cause }))).toBe(cause);
});
