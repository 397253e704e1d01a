import { randomBytes } from 'node:crypto';
import { encodeOverrides, type PlatformOverrides } from '@matsuri/contract';
import {
  createApiTokenRepository,
  createPepperRing,
  createPool,
  migrate,
  type ApiTokenRepository,
  type DatabasePool,
  type NewApiToken,
} from '@matsuri/database';
import {
  postgres,
  startBedrockStandIn,
  type BedrockStandIn,
  type BedrockStandInOptions,
} from '@matsuri/local';
import OpenAI from 'openai';

/** Everything around the program: a database, a Redis, a Bedrock, and tokens. */
export interface Stage {
  readonly bedrock: BedrockStandIn;
  readonly pool: DatabasePool;
  readonly tokens: ApiTokenRepository;
  /** The program's environment. */
  environment(options?: EnvironmentOptions): Record<string, string>;
  newToken(rights?: Partial<NewApiToken>): Promise<{ readonly id: string; readonly key: string }>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly bedrock?: BedrockStandInOptions;
  /** A database of the suite's own, if it means to hurt it. */
  readonly databaseUrl?: string;
}

interface EnvironmentOptions {
  readonly overrides?: PlatformOverrides;
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
  readonly allowedOrigins?: string;
}

export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const database =
    options.databaseUrl === undefined
      ? await postgres()
      : { url: options.databaseUrl, close: () => Promise.resolve() };
  await migrate(database.url);
  const bedrock = await startBedrockStandIn({ pacing: 'instant', ...options.bedrock });
  const secret = randomBytes(32);
  const pool = createPool({
    url: database.url,
    applicationName: 'gateway-test',
    maxConnections: 3,
  });
  const tokens = createApiTokenRepository(pool, createPepperRing([{ version: 1, secret }]));

  return {
    bedrock,
    pool,
    tokens,
    environment({ overrides = {}, redisUrl, databaseUrl, allowedOrigins = '' } = {}) {
      const url = new URL(databaseUrl ?? database.url);
      return {
        PLATFORM_OVERRIDES: encodeOverrides(overrides),
        LOG_LEVEL: 'info',
        AWS_REGION: 'ap-northeast-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
        PORT: '0',
        HEALTH_PORT: '0',
        DATABASE_URL: url.href,
        DATABASE_USER: decodeURIComponent(url.username),
        DATABASE_PASSWORD: decodeURIComponent(url.password),
        REDIS_URL: redisUrl ?? process.env['REDIS_URL'] ?? '',
        REDIS_PASSWORD: '',
        SESSIONS_TABLE: 'sessions',
        CATALOGUE_TABLE: 'catalogue',
        OPENSEARCH_URL: 'http://127.0.0.1:9',
        OPENSEARCH_INDEX: 'catalogue',
        INTENT_ENDPOINT: '',
        TARGET_GROUP_ARN: 'arn:aws:elasticloadbalancing:ap-northeast-1:1:targetgroup/a/b',
        ALLOWED_ORIGINS: allowedOrigins,
        TOKEN_PEPPERS: `1:${secret.toString('base64url')}`,
      };
    },
    async newToken(rights = {}) {
      const issued = await tokens.create({
        tenantId: 'tenant-1',
        userId: 'user-1',
        name: 'a token',
        allowedModels: null,
        rpm: null,
        tpm: null,
        dayCapMicroUsd: null,
        monthCapMicroUsd: null,
        expiresAt: null,
        ...rights,
      });
      return { id: issued.token.id, key: issued.plaintext };
    },
    async close() {
      await pool.close();
      await bedrock.close();
      await database.close();
    },
  };
}

/** The official client, as anybody would use it. */
export function openAiClient(url: string, apiKey: string): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 });
}

/** A row of the ledger, oldest attempt first. */
export interface AttemptRow {
  readonly attempt_id: string;
  readonly request_id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly region: string;
  readonly served_model: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  readonly client_disconnected: boolean;
}

export function attemptRows(pool: DatabasePool, requestId: string): Promise<AttemptRow[]> {
  return pool.query<AttemptRow & Record<string, unknown>>({
    text: `SELECT attempt_id, request_id, status, outcome, region, served_model,
                  input_tokens::int AS input, output_tokens::int AS output,
                  cost_micro_usd::int AS cost, client_disconnected
             FROM usage_attempts WHERE request_id = $1 ORDER BY attempt_id`,
    values: [requestId],
  });
}
