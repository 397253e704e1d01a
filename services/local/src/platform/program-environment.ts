import { randomBytes } from 'node:crypto';

import { ALERT_TOPICS, encodeOverrides, SERVICES, TABLES } from '@matsuri/contract';
import type {
  PlatformOverrides,
  Provides,
  apiEnvironment,
  apiSecrets,
  autoscalerEnvironment,
  autoscalerSecrets,
  loadCatalogueEnvironment,
  loadCatalogueSecrets,
  migrateEnvironment,
  migrateSecrets,
  orchestratorEnvironment,
  orchestratorSecrets,
} from '@matsuri/contract';

import type { Engines } from '../engines/start-engines';
import type { LocalAws } from './start-aws';

/** Made anew at every start; nothing outlives the data they protect. */
export interface LocalSecrets {
  readonly TOKEN_PEPPERS: string;
  readonly ADMIN_TOKEN: string;
}

export function newSecrets(): LocalSecrets {
  const secret = (): string => randomBytes(32).toString('base64url');
  return { TOKEN_PEPPERS: `1:${secret()}`, ADMIN_TOKEN: secret() };
}

export interface ProgramWorld {
  readonly overrides: PlatformOverrides;
  readonly region: string;
  readonly engines: Engines;
  readonly aws: LocalAws;
  readonly secrets: LocalSecrets;
  /** The page that talks to the programs from a browser. */
  readonly origin: string;
}

type Variables = Readonly<Record<string, string>>;

// Any key will do: the stand-ins check the form of a signature, not who signed.
const LOCAL_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

/** The same variables the stacks give, pointing at this machine. */
export function migrateVariables(world: ProgramWorld): Variables {
  return {
    ...everyProgram(world),
    ...database(world.engines),
  } satisfies Provides<typeof migrateEnvironment, string> & Provides<typeof migrateSecrets, string>;
}

export function loadCatalogueVariables(world: ProgramWorld): Variables {
  return {
    ...everyProgram(world),
    ...database(world.engines),
    ...catalogue(world.aws),
  } satisfies Provides<typeof loadCatalogueEnvironment, string> &
    Provides<typeof loadCatalogueSecrets, string>;
}

export function apiVariables(world: ProgramWorld): Variables {
  const { engines, secrets } = world;
  return {
    ...everyProgram(world),
    ...database(engines),
    DATABASE_READER_URL: database(engines).DATABASE_URL,
    REDIS_URL: engines.redisUrl ?? '',
    REDIS_PASSWORD: '',
    ALLOWED_ORIGINS: world.origin,
    WORKER_CONTROL_QUEUE_URL: '',
    ...secrets,
  } satisfies Provides<typeof apiEnvironment, string> & Provides<typeof apiSecrets, string>;
}

export function orchestratorVariables(world: ProgramWorld, targetGroupArn: string): Variables {
  const { engines, aws, secrets } = world;
  return {
    ...everyProgram(world),
    ...database(engines),
    REDIS_URL: engines.redisUrl ?? '',
    REDIS_PASSWORD: '',
    SESSIONS_TABLE: TABLES.sessions.name,
    ...catalogue(aws),
    INTENT_ENDPOINT: 'mangaassist-intent',
    TARGET_GROUP_ARN: targetGroupArn,
    ALLOWED_ORIGINS: world.origin,
    TOKEN_PEPPERS: secrets.TOKEN_PEPPERS,
  } satisfies Provides<typeof orchestratorEnvironment, string> &
    Provides<typeof orchestratorSecrets, string>;
}

/** The one cluster of this machine. */
export const LOCAL_CLUSTER = 'matsuri';

export function autoscalerVariables(world: ProgramWorld): Variables {
  const { engines, aws } = world;
  return {
    ...everyProgram(world),
    REDIS_URL: engines.redisUrl ?? '',
    REDIS_PASSWORD: '',
    AUTOSCALER_TABLE: TABLES.autoscaler.name,
    CLUSTER_NAME: LOCAL_CLUSTER,
    SERVICE_NAME: SERVICES.orchestrator,
    PAGE_TOPIC_ARN: aws.sns.topicArn(ALERT_TOPICS.page),
    TICKET_TOPIC_ARN: aws.sns.topicArn(ALERT_TOPICS.ticket),
  } satisfies Provides<typeof autoscalerEnvironment, string> &
    Provides<typeof autoscalerSecrets, string>;
}

function everyProgram({ overrides, region, engines, aws }: ProgramWorld) {
  return {
    ...LOCAL_CREDENTIALS,
    ...aws.endpoints,
    AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodbUrl,
    AWS_REGION: region,
    PLATFORM_OVERRIDES: encodeOverrides(overrides),
  };
}

function catalogue({ opensearch }: LocalAws) {
  return {
    CATALOGUE_TABLE: TABLES.catalogue.name,
    OPENSEARCH_URL: opensearch.url,
    OPENSEARCH_INDEX: 'catalogue',
  };
}

/** The address without its credentials, and the credentials, as the stacks give them. */
function database({ databaseUrl }: Engines) {
  const url = new URL(databaseUrl);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  return {
    DATABASE_URL: url.href,
    DATABASE_USER: decodeURIComponent(username),
    DATABASE_PASSWORD: decodeURIComponent(password),
  };
}
