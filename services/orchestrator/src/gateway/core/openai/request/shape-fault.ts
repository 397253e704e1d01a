import type { z } from 'zod';

import { boundFault } from './bound-fault';
import { invalid, missing, wrongType, wrongValue } from './faults';
import { InvalidRequestError } from './invalid-request-error';
import { isJsonObject } from './json-object';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The first thing wrong with a request's shape, in OpenAI's words. */
export function shapeFault(error: z.ZodError): InvalidRequestError {
  const [issue] = error.issues;
  if (issue === undefined) return new InvalidRequestError('Invalid request.', null);
  return faultOf(issue, []);
}

function faultOf(issue: Issue, base: Path): InvalidRequestError {
  const path = [...base, ...issue.path];
  const param = paramName(path);
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return missing(param);
      return wrongType(param, EXPECTED[issue.expected] ?? issue.expected, issue.input);
    case 'invalid_union':
      return unionFault(issue, path);
    case 'invalid_value':
      if (issue.input === undefined) return missing(param);
      return wrongValue(param, issue.input, issue.values.map(String));
    case 'too_big':
    case 'too_small':
      return boundFault(param, issue);
    case 'invalid_format':
      return invalid(
        param,
        `string does not match pattern. Expected a string that matches the pattern '${patternOf(issue)}'.`,
      );
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return invalid(param, issue.message);
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a decimal',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

/** OpenAI's spelling of a path: `messages[0].content[1].text`. */
function paramName(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;

/** Of the shapes a value may have, its author meant the one that it follows furthest. */
function unionFault(issue: UnionIssue, path: Path): InvalidRequestError {
  const param = paramName(path);
  if ('options' in issue) {
    return discriminatorFault(issue, param, issue.options.map(String));
  }
  const attempts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first]));
  const [meant] = attempts.toSorted((a, b) => depthOf(b) - depthOf(a));
  if (meant !== undefined && depthOf(meant) > 0) return faultOf(meant, path);
  if (issue.input === undefined) return missing(param);
  const expected = attempts.flatMap((each) =>
    each.code === 'invalid_type' ? (EXPECTED[each.expected] ?? each.expected) : [],
  );
  return wrongType(param, `one of ${expected.join(' or ')}`, issue.input);
}

/** How far a value got: not even the right type is 0. */
function depthOf(issue: Issue): number {
  const wrongKind = issue.code === 'invalid_type' && issue.path.length === 0;
  return wrongKind ? 0 : issue.path.length + 1;
}

function discriminatorFault(
  issue: UnionIssue,
  param: string,
  options: readonly string[],
): InvalidRequestError {
  const { discriminator = '', input } = issue;
  const value = isJsonObject(input) ? input[discriminator] : undefined;
  return value === undefined ? missing(param) : wrongValue(param, value, options);
}

function patternOf(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  return (issue.pattern ?? issue.format).replace(/^\/|\/$/g, '');
}
