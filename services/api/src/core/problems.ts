/** Every way in which this API refuses, by the last part of its `type`. */
export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request does not match its schema' },
  'period-refused': { status: 400, title: 'The period of the report cannot be answered' },
  unauthenticated: { status: 401, title: 'The credential is missing or wrong' },
  'not-found': { status: 404, title: 'There is nothing of that name' },
  'method-not-allowed': { status: 405, title: 'The path does not know this method' },
  'too-slow': { status: 408, title: 'The body did not arrive in time' },
  'already-rotated': { status: 409, title: 'The token has a successor already' },
  'idempotency-conflict': {
    status: 409,
    title: 'The idempotency key was used for another request',
  },
  'token-inactive': { status: 409, title: 'The token no longer works' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json' },
  'too-many-failures': { status: 429, title: 'Too many wrong credentials' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The database cannot be asked right now' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Prefix of every problem's `type`. */
export const PROBLEM_TYPE = 'urn:matsuri:problem:';

/** One part of a request that is wrong. */
export interface Fault {
  /** Where it is, e.g. `body.allowed_models.0` or `query.tenant`. */
  readonly at: string;
  readonly detail: string;
}

const MAX_FAULTS = 20;
const MAX_TEXT = 200;

/** The shape of a validator's issue, as far as we show it. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What a validator found, bounded: a caller's own text comes back in messages and paths. */
export function faultsOf(part: string, issues: readonly Issue[]): Fault[] {
  return issues.slice(0, MAX_FAULTS).map((issue) => ({
    at: clip([part, ...issue.path.map(String)].join('.')),
    detail: clip(issue.message),
  }));
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
