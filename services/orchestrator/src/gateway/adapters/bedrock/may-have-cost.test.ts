import { brokenReply, connectionError, exceptionError, refusalError } from './upstream-failure';

const failed = (code: string): Error => Object.assign(new Error('failed'), { code });

test.each(['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'])(
  'a call that never connected (%s) cannot have cost anything',
  (code) => {
    expect(connectionError(failed(code)).mayHaveCost).toBe(false);
  },
);

test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])(
  'a call whose connection broke (%s) may have been answered, and paid for',
  (code) => {
    expect(connectionError(failed(code)).mayHaveCost).toBe(true);
  },
);

test('an answer that cannot be read was paid for', () => {
  expect(brokenReply('it does not state its usage').mayHaveCost).toBe(true);
});

test('a refusal costs nothing', () => {
  const refusal = { status: 429, headers: {}, body: '' };
  expect(refusalError(refusal, 0).mayHaveCost).toBe(false);
  expect(exceptionError('throttlingException', 'slow down').mayHaveCost).toBe(false);
});
