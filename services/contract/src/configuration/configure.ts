import type { z } from 'zod';
import type { ScalingProfileName } from '../scaling/profiles';
import { merged } from './deep';
import { defaultsOf } from './defaults';
import { platformSchema, type PlatformConfiguration, type PlatformOverrides } from './platform';

/** The overrides do not make a configuration; every problem is named, no value is printed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems.map((it) => `  - ${it}`)].join('\n'));
  }
}

/** The shipped platform with an environment's choices. Lists are replaced whole. */
export function configure(overrides: PlatformOverrides = {}): PlatformConfiguration {
  return validated(overrides);
}

/** Overrides as one environment variable carries them. */
export function encodeOverrides(overrides: PlatformOverrides): string {
  return JSON.stringify(overrides);
}

/** The reverse of `encodeOverrides`, for text that came from outside. */
export function decodeConfiguration(overridesJson: string): PlatformConfiguration {
  return validated(parsedJson(overridesJson));
}

/** The platform as it ships. */
export const defaultConfiguration: PlatformConfiguration = configure();

function validated(overrides: unknown): PlatformConfiguration {
  const result = platformSchema.safeParse(merged(defaultsOf(profileOf(overrides)), overrides));
  if (!result.success) throw new ConfigurationError(result.error.issues.map(problemOf));
  return result.data;
}

function profileOf(overrides: unknown): ScalingProfileName {
  const wanted = platformSchema.pick({ profile: true }).partial().loose().safeParse(overrides);
  return wanted.data?.profile ?? 'genai';
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(['the overrides are not JSON']);
  }
}
