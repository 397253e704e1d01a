import {
  assertTrue,
  autoscalerEnvironment,
  autoscalerSecrets,
  loadEnvironment,
  type Contradiction,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { LogLevel } from '@matsuri/telemetry';

/** Everything the program was started with. */
export interface Config {
  readonly platform: PlatformConfiguration;
  /** Contradictions that were accepted, to be said aloud. */
  readonly warnings: readonly Contradiction[];
  readonly region: string;
  readonly healthPort: number;
  /** Absent: there is no Redis. */
  readonly redis?: { readonly url: string; readonly password?: string };
  readonly table: string;
  readonly cluster: string;
  readonly service: string;
  readonly topics: { readonly page: string; readonly ticket: string | undefined };
  /** `plan` decides and reports, and changes nothing. */
  readonly mode: 'plan' | 'apply';
  readonly logLevel: LogLevel;
}

const environment = autoscalerEnvironment.extend(autoscalerSecrets.shape);

/** Reads the environment once; throws one error that names every problem and no value. */
export function loadConfig(
  variables: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Config {
  const env = loadEnvironment(environment, variables);
  const platform = env.PLATFORM_OVERRIDES;
  return {
    platform,
    warnings: assertTrue(platform, nowMs),
    region: env.AWS_REGION,
    healthPort: env.HEALTH_PORT,
    ...(env.REDIS_URL !== '' && { redis: redisOf(env.REDIS_URL, env.REDIS_PASSWORD) }),
    table: env.AUTOSCALER_TABLE,
    cluster: env.CLUSTER_NAME,
    service: env.SERVICE_NAME,
    topics: {
      page: env.PAGE_TOPIC_ARN,
      ticket: env.TICKET_TOPIC_ARN === '' ? undefined : env.TICKET_TOPIC_ARN,
    },
    mode: env.MODE,
    logLevel: env.LOG_LEVEL,
  };
}

function redisOf(url: string, password: string): NonNullable<Config['redis']> {
  return { url, ...(password !== '' && { password }) };
}
