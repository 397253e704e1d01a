import { PURCHASE_CAUSES, type PurchaseCause } from '../../core/snapshot';

/** Whose a throughput is, by its name: a list shows no tags. */
export type ThroughputOrigin =
  | { readonly kind: 'ours'; readonly token: string; readonly cause: PurchaseCause }
  | { readonly kind: 'other-environment' }
  /** Bought by a person: used, never given back. */
  | { readonly kind: 'somebody' };

const TOKEN = /^(?<prefix>.+?)-(?<token>(?:complex|simple)-\d+-(?<cause>[a-z]+)-\d+)$/;
/** Bedrock takes 63 characters; the longest token has 33, and a dash comes between. */
const LONGEST_PREFIX = 29;

/** What the names of an environment's purchases begin with. */
export function prefixOf(product: string, environment: string): string {
  const whole = `${product}-${environment}`.replaceAll(/-+/g, '-');
  if (whole.length <= LONGEST_PREFIX) return whole;
  const digest = digestOf(whole);
  return `${whole.slice(0, LONGEST_PREFIX - digest.length - 1).replace(/-$/, '')}-${digest}`;
}

export function nameOf(prefix: string, token: string): string {
  return `${prefix}-${token}`;
}

export function originOf(prefix: string, name: string): ThroughputOrigin {
  const { groups } = TOKEN.exec(name) ?? {};
  const cause = PURCHASE_CAUSES.find((it) => it === groups?.['cause']);
  const token = groups?.['token'];
  if (token === undefined || cause === undefined) return { kind: 'somebody' };
  return groups?.['prefix'] === prefix
    ? { kind: 'ours', token, cause }
    : { kind: 'other-environment' };
}

/** Tells two long names apart (FNV-1a); nobody attacks it. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}
