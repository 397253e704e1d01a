import type { z } from 'zod';

import { invalid } from './faults';
import type { InvalidRequestError } from './invalid-request-error';

type BoundIssue = Extract<z.core.$ZodIssue, { code: 'too_big' | 'too_small' }>;

/** Numbers that need not be whole; the schema's complaint does not say which are. */
const DECIMALS: ReadonlySet<string> = new Set(['temperature', 'top_p']);

interface Bound {
  readonly side: 'above' | 'below';
  readonly extreme: 'maximum' | 'minimum';
  readonly value: number;
}

/** A number out of range, a list or text of the wrong length. */
export function boundFault(param: string, issue: BoundIssue): InvalidRequestError {
  const bound: Bound =
    issue.code === 'too_big'
      ? { side: 'above', extreme: 'maximum', value: Number(issue.maximum) }
      : { side: 'below', extreme: 'minimum', value: Number(issue.minimum) };
  const { input } = issue;
  if (typeof input === 'string') return lengthFault(param, 'string', bound, input.length);
  if (Array.isArray(input)) return lengthFault(param, 'array', bound, input.length);
  return rangeFault(param, bound, Number(input));
}

function rangeFault(param: string, bound: Bound, value: number): InvalidRequestError {
  const { side, extreme } = bound;
  const kind = DECIMALS.has(param) ? 'decimal' : 'integer';
  const sign = side === 'above' ? '<=' : '>=';
  return invalid(
    param,
    `${kind} ${side} ${extreme} value. Expected a value ${sign} ${bound.value}, but got ${value} instead.`,
    `${kind}_${side}_${extreme.slice(0, 3)}_value`,
  );
}

function lengthFault(
  param: string,
  kind: 'array' | 'string',
  { side, extreme, value }: Bound,
  length: number,
): InvalidRequestError {
  const one = kind === 'array' ? 'an array' : 'a string';
  if (length === 0) {
    const what = `empty ${kind}. Expected ${one} with minimum length ${value}, but got an empty ${kind} instead.`;
    return invalid(param, what, `empty_${kind}`);
  }
  const word = side === 'above' ? 'long' : 'short';
  const what = `${kind} too ${word}. Expected ${one} with ${extreme} length ${value}, but got ${one} with length ${length} instead.`;
  return invalid(param, what, `${kind}_${side}_${extreme.slice(0, 3)}_length`);
}
