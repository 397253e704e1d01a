/** How a command ends, for scripts. */
export const EXIT = { done: 0, misused: 2, unreachable: 3 } as const;

/** The command line, or the environment, does not say what is needed. */
export class MisuseError extends Error {
  override readonly name = 'MisuseError';
}

/** What a person reads when a command failed, and how the process ends. */
export function failureOf(error: unknown): { readonly text: string; readonly exit: number } {
  if (error instanceof MisuseError) return { text: error.message, exit: EXIT.misused };
  if (isBadSetting(error)) return { text: error.message, exit: EXIT.misused };
  const message = error instanceof Error ? error.message || error.name : String(error);
  const advice = 'Are the region, the table and the credentials those of the environment?';
  return { text: `AWS could not be asked: ${message}\n${advice}`, exit: EXIT.unreachable };
}

const SETTINGS = ['EnvironmentError', 'ConfigurationError', 'ContradictionError'];

function isBadSetting(error: unknown): error is Error {
  return error instanceof Error && SETTINGS.includes(error.name);
}
