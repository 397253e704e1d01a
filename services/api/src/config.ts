import {
  apiEnvironment,
  apiSecrets,
  assertTrue,
  EnvironmentError,
  loadEnvironment,
  type Contradiction,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { databaseUrl, openPepperRing, type PepperRing } from '@matsuri/database';
import type { LogLevel } from '@matsuri/telemetry';

/** Everything the program was told. */
export interface Config {
  readonly port: number;
  readonly healthPort: number;
  readonly databaseUrl: string;
  /** The same as `databaseUrl` where there is no reader. */
  readonly readerUrl: string;
  readonly peppers: PepperRing;
  readonly adminToken: string;
  readonly allowedOrigins: readonly string[];
  readonly platform: PlatformConfiguration;
  readonly logLevel: LogLevel;
  /** What the configuration's truth check has to say although it may stand. */
  readonly warnings: readonly Contradiction[];
}

const MIN_ADMIN_TOKEN_LENGTH = 32;

const environment = apiEnvironment.extend(apiSecrets.shape);

/** Reads the environment; throws one error that names every problem and prints no value. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Config {
  const variables = loadEnvironment(environment, env);
  if (variables.ADMIN_TOKEN.length < MIN_ADMIN_TOKEN_LENGTH) {
    throw new EnvironmentError([
      `ADMIN_TOKEN: must have at least ${MIN_ADMIN_TOKEN_LENGTH} characters`,
    ]);
  }
  const platform = variables.PLATFORM_OVERRIDES;
  const { DATABASE_USER: user, DATABASE_PASSWORD: password } = variables;
  return {
    port: variables.PORT,
    healthPort: variables.HEALTH_PORT,
    databaseUrl: databaseUrl(variables.DATABASE_URL, user, password),
    readerUrl: databaseUrl(variables.DATABASE_READER_URL, user, password),
    peppers: openPepperRing(variables.TOKEN_PEPPERS),
    adminToken: variables.ADMIN_TOKEN,
    allowedOrigins: variables.ALLOWED_ORIGINS,
    platform,
    logLevel: variables.LOG_LEVEL,
    warnings: assertTrue(platform, nowMs),
  };
}
