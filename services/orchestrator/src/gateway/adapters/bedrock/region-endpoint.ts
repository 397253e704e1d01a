import { createModelPaths } from './model-path';
import type { ModelPath, Operation } from './model-path';
import { RegionPool } from './region-pool';
import type { ConnectionSettings } from './region-pool';
import { RequestSigner } from './request-signer';

/** Everything the calls to one region share. */
export interface RegionEndpoint {
  readonly pool: RegionPool;
  readonly signer: RequestSigner;
  readonly pathOf: (modelId: string, operation: Operation) => ModelPath;
}

/** Opens Bedrock's runtime in a region, at AWS or at the endpoint that stands for all regions. */
export function openRegion(
  region: string,
  endpoint: string | undefined,
  settings: ConnectionSettings,
): RegionEndpoint {
  const url = new URL(endpoint ?? `https://bedrock-runtime.${region}.amazonaws.com`);
  return {
    pool: new RegionPool(url.origin, settings),
    signer: new RequestSigner(region, url.host),
    pathOf: createModelPaths(url.pathname.replace(/\/+$/, '')),
  };
}
