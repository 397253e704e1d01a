import type { z } from 'zod';

/** A program was started with variables it cannot work with. Names every one, prints no value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(readonly problems: readonly string[]) {
    super(
      ['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    );
  }
}

/** The variables a program reads, parsed; throws one error that lists all problems. */
export function loadEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  throw new EnvironmentError(
    result.error.issues.map((issue) => problemOf(issue, env)).sort((a, b) => a.localeCompare(b)),
  );
}

function problemOf(
  issue: z.core.$ZodIssue,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const name = String(issue.path[0] ?? '');
  return env[name] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
}
