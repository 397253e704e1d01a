import type { ProblemBody } from '../wire/problem-schema';

/** How the command ends, for scripts. */
export const EXIT = { done: 0, refused: 1, misused: 2, unreachable: 3 } as const;

/** The API said no. */
export class ApiRefusalError extends Error {
  override readonly name = 'ApiRefusalError';

  constructor(readonly problem: ProblemBody) {
    super(problem.detail ?? problem.title);
  }
}

/** The API could not be asked, or could not answer. */
export class ApiUnreachableError extends Error {
  override readonly name = 'ApiUnreachableError';
}

/** The command line makes no sense. */
export class MisuseError extends Error {
  override readonly name = 'MisuseError';
}

/** What a person reads when a command failed, and how the process ends. */
export function failureOf(error: unknown): { readonly lines: string[]; readonly exit: number } {
  if (error instanceof ApiRefusalError) {
    const { problem, message } = error;
    const faults = (problem.errors ?? []).map(({ at, detail }) => `  ${at}: ${detail}`);
    const heading = `Refused (${problem.status}): ${message}`;
    return { lines: [heading, ...faults, `Request ${problem.request_id}`], exit: EXIT.refused };
  }
  if (error instanceof ApiUnreachableError) {
    return { lines: [error.message], exit: EXIT.unreachable };
  }
  if (error instanceof MisuseError) return { lines: [error.message], exit: EXIT.misused };
  throw error;
}
