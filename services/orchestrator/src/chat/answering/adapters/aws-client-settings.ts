import type { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { PlatformConfiguration } from '@matsuri/contract';

type Pool = PlatformConfiguration['pools']['perTask']['dynamodb'];

/** A client of AWS as its pool says. The SDK's own retries are off: ours are counted and have a budget. */
export function awsClientSettings(
  region: string,
  credentials: ReturnType<typeof defaultProvider>,
  pool: Pick<Pool, 'maxConnections' | 'idleTimeoutMs' | 'connectTimeoutMs' | 'totalTimeoutMs'>,
) {
  // Of an agent's timeout only connections that nobody uses take notice.
  const agent = { maxSockets: pool.maxConnections, keepAlive: true, timeout: pool.idleTimeoutMs };
  return {
    region,
    credentials,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: pool.connectTimeoutMs,
      ...(pool.totalTimeoutMs !== undefined && {
        requestTimeout: pool.totalTimeoutMs,
        // By itself it would only warn.
        throwOnRequestTimeout: true,
      }),
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}
