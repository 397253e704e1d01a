import fc from 'fast-check';
import { blockedForMs, newAuthFailures, noteAuthFailure } from './auth-failures';
import { clientAddress } from './client-address';
import { acceptableRequestId } from './request-id';

const limits = { burst: 3, perMinute: 60, maxAddresses: 100 };

test('so many failures are forgiven, then one a second', () => {
  const failures = newAuthFailures(limits);
  for (let n = 0; n < 2; n += 1) noteAuthFailure(failures, 'a', 0);
  expect(blockedForMs(failures, 'a', 0)).toBe(0);
  noteAuthFailure(failures, 'a', 0);
  expect(blockedForMs(failures, 'a', 0)).toBe(1_000);
  expect(blockedForMs(failures, 'a', 1_000)).toBe(0);
  expect(blockedForMs(failures, 'b', 0)).toBe(0);
});

test('a storm from one address is over soon after it ends', () => {
  const failures = newAuthFailures(limits);
  for (let n = 0; n < 10_000; n += 1) noteAuthFailure(failures, 'a', n / 10);
  expect(blockedForMs(failures, 'a', 1_000)).toBeLessThanOrEqual(2_000);
});

test('memory is bounded, whatever the addresses', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 1_000 }),
      (events) => {
        const failures = newAuthFailures(limits);
        let nowMs = 0;
        for (const [address, laterMs] of events) {
          nowMs += laterMs;
          noteAuthFailure(failures, String(address), nowMs);
          if (failures.clearAtMs.size > limits.maxAddresses) return false;
        }
        return true;
      },
    ),
  );
});

test.each([
  ['directly', '203.0.113.7', undefined, '203.0.113.7'],
  ['directly, whatever it claims', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['through our proxies', '10.0.1.4', '198.51.100.1, 10.0.9.9', '198.51.100.1'],
  ['through our proxies, with a lie in front', '10.0.1.4', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['from inside', '127.0.0.1', '10.1.1.1', '127.0.0.1'],
  ['over IPv6', '::ffff:10.0.0.1', '2001:db8::1', '2001:db8::1'],
])('a client that comes %s is known by its address', (_, peer, forwarded, address) => {
  expect(clientAddress(peer, forwarded)).toBe(address);
});

test.each([
  ['abc-123.X_:y', 'abc-123.X_:y'],
  ['a b', undefined],
  ['a\r\nset-cookie: x', undefined],
  ['x'.repeat(129), undefined],
  ['', undefined],
])('the request id %j becomes %j', (offered, kept) => {
  expect(acceptableRequestId(offered)).toBe(kept);
});
