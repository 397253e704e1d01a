import { PROBLEMS, type Fault, type ProblemCode } from './core/problems';

export interface ProblemOptions extends ErrorOptions {
  /** What is wrong with the parts of the request. */
  readonly faults?: readonly Fault[];
  /** When the same request may succeed. */
  readonly retryAfterMs?: number;
  /** The methods that the path knows. */
  readonly allow?: readonly string[];
  readonly successorId?: string;
  readonly tokenId?: string;
}

/** The request is refused; the app's error handler says so in the one shape refusals have. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly code: ProblemCode,
    readonly detail?: string,
    readonly options: ProblemOptions = {},
  ) {
    super(detail ?? PROBLEMS[code].title, options);
  }
}
