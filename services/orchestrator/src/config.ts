import {
  assertTrue,
  loadEnvironment,
  orchestratorEnvironment,
  orchestratorSecrets,
  type Contradiction,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { databaseUrl, openPepperRing, type PepperRing } from '@matsuri/database';
import type { LogLevel } from '@matsuri/telemetry';

/** Everything the program was started with. */
export interface Config {
  readonly platform: PlatformConfiguration;
  /** Contradictions that were accepted, to be said aloud. */
  readonly warnings: readonly Contradiction[];
  readonly region: string;
  readonly port: number;
  readonly healthPort: number;
  readonly databaseUrl: string;
  /** Absent: there is no Redis. */
  readonly redis?: { readonly url: string; readonly password?: string };
  readonly peppers: PepperRing;
  readonly allowedOrigins: readonly string[];
  readonly targetGroupArn: string;
  /** Absent: this is no task of ECS, and no load balancer will tell when it drains. */
  readonly taskMetadataUrl?: string;
  readonly bedrockEndpoint?: string;
  readonly sessionsTable: string;
  readonly openSearch: { readonly url: string; readonly index: string };
  /** Empty: the small model classifies. */
  readonly intentEndpoint: string;
  readonly logLevel: LogLevel;
}

const environment = orchestratorEnvironment.extend(orchestratorSecrets.shape);

/** Reads the environment once; throws one error that names every problem and no value. */
export function loadConfig(
  variables: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Config {
  const env = loadEnvironment(environment, variables);
  const platform = env.PLATFORM_OVERRIDES;
  const metadataUrl = env.ECS_CONTAINER_METADATA_URI_V4;
  const endpoint = env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME ?? env.AWS_ENDPOINT_URL;
  return {
    platform,
    warnings: assertTrue(platform, nowMs),
    region: env.AWS_REGION,
    port: env.PORT,
    healthPort: env.HEALTH_PORT,
    databaseUrl: databaseUrl(env.DATABASE_URL, env.DATABASE_USER, env.DATABASE_PASSWORD),
    ...(env.REDIS_URL !== '' && { redis: redisOf(env.REDIS_URL, env.REDIS_PASSWORD) }),
    peppers: openPepperRing(env.TOKEN_PEPPERS),
    allowedOrigins: env.ALLOWED_ORIGINS,
    targetGroupArn: env.TARGET_GROUP_ARN,
    ...(metadataUrl !== undefined && { taskMetadataUrl: metadataUrl }),
    ...(endpoint !== undefined && { bedrockEndpoint: endpoint }),
    sessionsTable: env.SESSIONS_TABLE,
    openSearch: { url: env.OPENSEARCH_URL, index: env.OPENSEARCH_INDEX },
    intentEndpoint: env.INTENT_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  };
}

function redisOf(url: string, password: string): NonNullable<Config['redis']> {
  return { url, ...(password !== '' && { password }) };
}
