/** The edge and the load balancer each add the address they were called from. */
const FORWARDERS = 2;

/**
 * Whom a request comes from, as far as it can be known: what our own forwarders wrote, never what a caller
 * claims before them. IPv6 callers own whole networks, so they are known by theirs.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | undefined): string {
  const forwarded = (forwardedFor ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const client = forwarded.slice(-FORWARDERS)[0] ?? peer ?? 'unknown';
  return network(client.slice(0, MAX_ADDRESS_LENGTH));
}

const MAX_ADDRESS_LENGTH = 45;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

function network(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const groupsOf = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const missing = GROUPS - groupsOf(head).length - groupsOf(tail).length;
  const zeros = Array<string>(Math.max(0, missing)).fill('0');
  const groups = [...groupsOf(head), ...zeros, ...groupsOf(tail)];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
