import { clientAddress } from './client-address';

test.each([
  ['the peer where nobody forwards', '10.0.0.9', undefined, '10.0.0.9'],
  ['what the load balancer saw', '10.0.0.9', '203.0.113.7', '203.0.113.7'],
  ['what the edge saw', '10.0.0.9', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['not what the caller claims', '10.0.0.9', '1.1.1.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
  ['an IPv4 address in disguise', '::ffff:10.0.0.9', undefined, '10.0.0.9'],
  ['the network of an IPv6 caller', '2001:db8:1:2:aaaa::1', undefined, '2001:db8:1:2::/64'],
  ['a shortened network', '2001:db8::1', '', '2001:db8:0:0::/64'],
  ['the loopback', '::1', undefined, '0:0:0:0::/64'],
  ['something, when there is nothing', undefined, ' , ', 'unknown'],
])('is %s', (_, peer, forwardedFor, expected) => {
  expect(clientAddress(peer, forwardedFor)).toBe(expected);
});

test('does not grow with what it is given', () => {
  expect(clientAddress(undefined, 'x'.repeat(10_000)).length).toBeLessThan(64);
});
