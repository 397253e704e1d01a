import { ProblemError } from '../problem-error';

/** A cursor is a place in one list; what was not given out for it leads nowhere. */
export function unknownCursor(): ProblemError {
  return new ProblemError('invalid-request', undefined, {
    faults: [{ at: 'query.cursor', detail: 'is no cursor of this list' }],
  });
}
