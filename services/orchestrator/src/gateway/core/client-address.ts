/**
 * The address a request came from. Our own proxies (edge, load balancer) reach us from private addresses and append
 * whom they saw; the last public one in the chain is the client. What stands before it was written by the client and is
 * not believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined): string {
  if (forwardedFor === undefined || !isPrivate(peer)) return peer;
  const hops = forwardedFor.slice(-MAX_LENGTH).split(',');
  for (let at = hops.length - 1; at >= 0; at -= 1) {
    const hop = (hops[at] ?? '').trim();
    if (!isPrivate(hop)) return hop.slice(0, MAX_ADDRESS) || peer;
  }
  return peer;
}

const MAX_LENGTH = 1_000;
const MAX_ADDRESS = 64;

// Loopback, RFC 1918, shared and link-local space, and their IPv6 relatives.
const PRIVATE =
  /^(?:::ffff:)?(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.)|^(?:::1$|f[cd][0-9a-f]{2}:|fe80:)/i;

function isPrivate(address: string): boolean {
  return PRIVATE.test(address);
}
