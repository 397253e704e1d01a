import { randomBytes } from 'node:crypto';
import {
  encodeOverrides,
  type orchestratorEnvironment,
  type orchestratorSecrets,
  type PlatformOverrides,
  type Provides,
} from '@matsuri/contract';
import { createPepperRing, type PepperRing } from '@matsuri/database';

type Told = Partial<Provides<typeof orchestratorEnvironment, string>> &
  Provides<typeof orchestratorSecrets, string>;

export interface Addresses {
  readonly databaseUrl: string;
  /** Empty: no Redis. */
  readonly redisUrl: string;
  readonly bedrockUrl: string;
}

/** The secret key of a run's tokens, for those who issue them and those who check them. */
export interface RunPepper {
  readonly variable: string;
  readonly ring: PepperRing;
}

export function newPepper(): RunPepper {
  const secret = randomBytes(32);
  return {
    variable: `1:${secret.toString('base64url')}`,
    ring: createPepperRing([{ version: 1, secret }]),
  };
}

/** The environment of a gateway process: free ports, credentials beside the addresses as a stack gives them. */
export function gatewayEnvironment(
  overrides: PlatformOverrides,
  { databaseUrl, redisUrl, bedrockUrl }: Addresses,
  pepper: RunPepper,
): Record<string, string> {
  const database = new URL(databaseUrl);
  const told = {
    PLATFORM_OVERRIDES: encodeOverrides(overrides),
    LOG_LEVEL: 'info',
    AWS_REGION: 'ap-northeast-1',
    PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `postgres://${database.host}${database.pathname}`,
    DATABASE_USER: decodeURIComponent(database.username),
    DATABASE_PASSWORD: decodeURIComponent(database.password),
    REDIS_URL: redisUrl,
    REDIS_PASSWORD: '',
    TOKEN_PEPPERS: pepper.variable,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrockUrl,
    SESSIONS_TABLE: 'sessions',
    CATALOGUE_TABLE: 'catalogue',
    OPENSEARCH_URL: 'http://127.0.0.1:9',
    OPENSEARCH_INDEX: 'titles',
    INTENT_ENDPOINT: '',
    TARGET_GROUP_ARN: 'arn:aws:elasticloadbalancing:ap-northeast-1:000000000000:targetgroup/t/0',
    ALLOWED_ORIGINS: 'https://shop.example',
  } satisfies Told;
  return { ...told, AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };
}
