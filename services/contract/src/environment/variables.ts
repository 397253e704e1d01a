import { z } from 'zod';
import { ConfigurationError, decodeConfiguration } from '../configuration/configure';
import { awsEndpoints } from './aws-endpoints';

/** A variable that must say something. */
export const textVariable = z.string().min(1, 'must not be empty');

/** A place that may not exist in an environment: an empty value says so, a forgotten variable does not. */
export const urlOrAbsent = z.union([z.url(), z.literal('')], 'must be a URL, or empty for none');

export const textOrAbsent = z.string();

export const portVariable = z.coerce.number().int().min(0).max(65_535);

/** Comma-separated; empty for none. */
export const listVariable = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** The environment's overrides as JSON; the program sees the whole configuration. */
const configurationVariable = z.string().transform((json, context) => {
  try {
    return decodeConfiguration(json);
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.problems : ['cannot be read'];
    for (const message of problems) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

/** Every program reads these. */
export const everyProgram = {
  ...awsEndpoints,
  PLATFORM_OVERRIDES: configurationVariable,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
};

/** Every container also reads these; Lambda sets the region itself and forbids to set it. */
export const everyContainer = { ...everyProgram, AWS_REGION: textVariable };

/** One pepper of the ring that API tokens are digested with. */
export interface Pepper {
  readonly version: number;
  readonly secret: string;
}

const PEPPER = /^(?:(\d{1,9}):)?([A-Za-z0-9_-]{43,})$/;

/** A secret store that makes a secret up cannot number it: one without a version is the first. */
const FIRST_VERSION = '1';

/** `version:secret` pairs, comma-separated, at least 256 bits of base64url each; the highest version signs. */
export const pepperRing = z.string().transform((text, context): readonly Pepper[] => {
  const matches = text.split(',').map((pair) => PEPPER.exec(pair.trim()));
  const ring = matches.flatMap((match) =>
    match?.[2] === undefined
      ? []
      : [{ version: Number(match[1] ?? FIRST_VERSION), secret: match[2] }],
  );
  if (ring.length === matches.length) return ring;
  context.addIssue({
    code: 'custom',
    message: 'must be version:secret pairs with secrets of 256 bits in base64url',
  });
  return z.NEVER;
});

/** Credentials every user of PostgreSQL gets; the URL carries none. */
export const databaseSecrets = { DATABASE_USER: textVariable, DATABASE_PASSWORD: textVariable };

/** Empty where Redis asks for none. */
export const redisSecrets = { REDIS_PASSWORD: textOrAbsent };
