import { readFileSync } from 'node:fs';
import { decodeConfiguration, serviceName, type PlatformConfiguration } from '@matsuri/contract';
import { loadConfig, type Config } from '../config';
import { MisuseError } from './errors';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What every command may be told about the environment it looks at. */
export interface GivenSettings {
  readonly overrides?: string | undefined;
  readonly region?: string | undefined;
  readonly table?: string | undefined;
  readonly cluster?: string | undefined;
  readonly service?: string | undefined;
}

/** The configuration alone: enough to look at the calendar. */
export function configurationOf(given: GivenSettings, env: Variables): PlatformConfiguration {
  return decodeConfiguration(overridesOf(given, env));
}

/** Everything the autoscaler itself is told, from options first and its own variables second. */
export function configOf(given: GivenSettings, env: Variables, nowMs: number): Config {
  const overrides = overridesOf(given, env);
  const platform = decodeConfiguration(overrides);
  const needed = {
    AUTOSCALER_TABLE: wanted(given.table ?? env['AUTOSCALER_TABLE'], '--table', 'AUTOSCALER_TABLE'),
    CLUSTER_NAME: wanted(given.cluster ?? env['CLUSTER_NAME'], '--cluster', 'CLUSTER_NAME'),
  };
  return loadConfig(
    {
      ...env,
      ...needed,
      PLATFORM_OVERRIDES: overrides,
      AWS_REGION: given.region ?? env['AWS_REGION'] ?? platform.region,
      SERVICE_NAME:
        given.service ?? env['SERVICE_NAME'] ?? serviceName(platform.product.name, 'orchestrator'),
      REDIS_URL: env['REDIS_URL'] ?? '',
      REDIS_PASSWORD: env['REDIS_PASSWORD'] ?? '',
      // Commands look and set switches; they tell nobody.
      PAGE_TOPIC_ARN: env['PAGE_TOPIC_ARN'] ?? 'none',
      MODE: 'plan',
    },
    nowMs,
  );
}

function overridesOf({ overrides }: GivenSettings, env: Variables): string {
  if (overrides === undefined) return env['PLATFORM_OVERRIDES'] ?? '{}';
  try {
    return readFileSync(overrides, 'utf8');
  } catch {
    throw new MisuseError(
      `${overrides} cannot be read. --overrides takes a file with the JSON of PLATFORM_OVERRIDES.`,
    );
  }
}

function wanted(value: string | undefined, option: string, variable: string): string {
  if (value !== undefined && value !== '') return value;
  throw new MisuseError(`Which one? Give ${option}, or set ${variable} as the autoscaler has it.`);
}
