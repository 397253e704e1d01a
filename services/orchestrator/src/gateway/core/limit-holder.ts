import { UNLIMITED, type MinuteLimits } from './minute-limits';

/** An API token together with its limits, as one name: whoever knows the name knows the limits. */
export type LimitHolder = string;

interface TokenLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/** `undefined`: nobody's own limits apply. */
export function holderOf(
  caller: TokenLimits & { readonly tokenId: string | null },
): LimitHolder | undefined {
  const { tokenId, requestsPerMinute, tokensPerMinute } = caller;
  if (tokenId === null || (requestsPerMinute === null && tokensPerMinute === null))
    return undefined;
  return `${requestsPerMinute ?? ''}/${tokensPerMinute ?? ''}/${tokenId}`;
}

export function tokenOfHolder(holder: LimitHolder): string {
  return holder.slice(holder.indexOf('/', holder.indexOf('/') + 1) + 1);
}

export function limitsOfHolder(holder: LimitHolder): MinuteLimits {
  const [requests = '', tokens = ''] = holder.split('/', 2);
  return { requests: numberOr(requests, UNLIMITED), tokens: numberOr(tokens, UNLIMITED) };
}

const numberOr = (text: string, otherwise: number): number =>
  text === '' ? otherwise : Math.max(1, Number(text));
