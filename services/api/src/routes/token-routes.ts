import type { PlatformConfiguration } from '@matsuri/contract';
import type { Api } from '../api';
import type { TokenStore } from '../ports';
import { addCreateToken } from './create-token';
import { addListTokens } from './list-tokens';
import { addRevokeToken } from './revoke-token';
import { addRotateToken } from './rotate-token';
import { addShowSpend } from './show-spend';
import { addShowToken } from './show-token';

export interface TokenRouteOptions {
  readonly tokens: TokenStore;
  readonly platform: PlatformConfiguration;
  /** Milliseconds since 1970. */
  readonly wallClockMs: () => number;
}

/** Everything under `/v1/tokens`. */
export function addTokenRoutes(api: Api, options: TokenRouteOptions): void {
  addCreateToken(api, options);
  addListTokens(api, options);
  addShowToken(api, options);
  addRevokeToken(api, options);
  addRotateToken(api, options);
  addShowSpend(api, options);
}
